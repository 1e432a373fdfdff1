import { expect } from 'chai';
import fc from 'fast-check';
import { LastWrites } from '../../adapters/memory/last-writes.ts';
import { LAST_WRITE_KEPT_MS } from '../../domain/foundation/last-writes.ts';

describe('Times of last writes in memory', () => {
  it('are removed a day after the last write to a parent without records, regardless of their number', () => {
    const last = new LastWrites();
    for (let n = 0; n < 10_000; n += 1) {
      const parent = `p${n}`;
      last.stamp(parent, n * 1000);
      last.count(parent, 1);
      if (n > 0) last.count(parent, -1);
    }
    const aDayOf = LAST_WRITE_KEPT_MS / 1000;
    expect(last.size).to.equal(10_000);
    for (let n = 0; n < 200_000; n += 1) last.stamp(`later${n % 10}`, (10_000 + aDayOf) * 1000);
    expect(last.size).to.equal(11);
    expect(last.stamp('p0', 0)).to.equal(1);
  });

  it('only increase for a parent, by the least possible step', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: LAST_WRITE_KEPT_MS - 1 }), { maxLength: 50 }), (times) => {
        const last = new LastWrites();
        let before = -1;
        for (const now of times) {
          const at = last.stamp('p', now);
          expect(at).to.equal(Math.max(now, before + 1));
          before = at;
        }
      }),
    ));
});
