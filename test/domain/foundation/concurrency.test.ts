import { expect } from 'chai';
import fc from 'fast-check';
import { mapArriving, mapBounded } from '../../../domain/foundation/concurrency.ts';

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

describe('mapArriving', () => {
  /** Items that arrive after so many turns each. */
  async function* arriving(turns: readonly number[]): AsyncGenerator<number> {
    for (const [index, count] of turns.entries()) {
      for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
      yield index;
    }
  }

  it('gives the results in the order of the items, with at most `limit` at once, also to a slow reader', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(5), fc.nat(9)), { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(9),
        async (items, limit, pause) => {
          let [running, most, begun] = [0, 0, 0];
          const results: number[] = [];
          const map = async (index: number): Promise<number> => {
            begun += 1;
            running += 1;
            most = Math.max(most, running);
            for (let turn = 0; turn < (items[index]?.[1] ?? 0); turn += 1) await Promise.resolve();
            running -= 1;
            return index;
          };
          for await (const result of mapArriving(arriving(items.map(([turns]) => turns)), limit, map)) {
            results.push(result);
            expect(begun - results.length).to.be.below(limit);
            for (let turn = 0; turn < pause; turn += 1) await Promise.resolve();
          }
          expect(results).to.deep.equal([...items.keys()]);
          expect(most).to.be.at.most(limit);
        },
      ),
    ));

  it('gives a result before the next item is there', async () => {
    let arrive = (): void => undefined;
    const later = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    async function* items(): AsyncGenerator<string> {
      yield 'first';
      await later;
      yield 'second';
    }
    const results = mapArriving(items(), 2, async (item) => item);
    expect((await results.next()).value).to.equal('first');
    arrive();
    expect((await results.next()).value).to.equal('second');
    expect((await results.next()).done).to.equal(true);
  });
});
