import { expect } from 'chai';
import fc from 'fast-check';
import { mapBounded } from '../../domain/foundation/concurrency.ts';

describe('mapBounded', () => {
  it('returns what map returns, in the order of the items, with at most `limit` at once', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (items, limit) => {
          let running = 0;
          let most = 0;
          const doubled = await mapBounded(items, limit, async (turns) => {
            running += 1;
            most = Math.max(most, running);
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
            running -= 1;
            return 2 * turns;
          });
          expect(doubled).to.deep.equal(items.map((item) => 2 * item));
          expect(most).to.equal(Math.min(limit, items.length));
        },
      ),
    ));

  it('throws the failure of the first item that fails and starts none after a failure', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }), async (items) => {
        const started: number[] = [];
        const outcome = await mapBounded(items, 3, async (fails, index) => {
          started.push(index);
          await Promise.resolve();
          if (fails) throw index;
        }).then(
          () => -1,
          (index) => index,
        );
        expect(outcome).to.equal(items.indexOf(true));
        if (outcome >= 0) expect(started.length).to.be.at.most(outcome + 3);
      }),
    ));
});
