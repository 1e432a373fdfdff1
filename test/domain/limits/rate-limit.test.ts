import { expect } from 'chai';
import fc from 'fast-check';
import { type Backoff, decide, msUntilExpiry, recordFailure, wholeSeconds } from '../../../domain/limits/rate-limit.ts';

const NONE = { msUntilCapacity: 0, blockMs: 0, oldestMs: 60_000 };

describe('decide', () => {
  it('admits while fewer requests than the limit count, and returns how many more it would admit', () => {
    expect(decide({ ...NONE, limit: 3, live: 2, oldestMs: 1234 })).to.deep.equal({
      outcome: 'admitted',
      remaining: 0,
      waitMs: 0,
      resetMs: 1234,
    });
  });

  it('refuses until there is room, blocks until the block ends, and names the longer wait when both hold', () => {
    const full = { limit: 3, live: 3, oldestMs: 700 };
    expect(decide({ ...full, msUntilCapacity: 700, blockMs: -5 })).to.include({ outcome: 'refused', waitMs: 700 });
    expect(decide({ ...full, msUntilCapacity: 700, blockMs: 300 })).to.include({ outcome: 'blocked', waitMs: 700 });
    expect(decide({ ...full, msUntilCapacity: 700, blockMs: 9000 })).to.include({ outcome: 'blocked', resetMs: 9000 });
  });

  it('counts a request of 60 seconds ago no more, and one of a millisecond later still', () => {
    expect([msUntilExpiry(0, 60_000), msUntilExpiry(1, 60_000)]).to.deep.equal([0, 1]);
  });
});

describe('wholeSeconds', () => {
  it('property: is the smallest whole number of seconds, at least one, that covers the wait', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (ms) => {
        const seconds = wholeSeconds(ms);
        return Number.isInteger(seconds) && seconds >= 1 && seconds * 1000 >= ms && (seconds - 1) * 1000 < ms;
      }),
    );
  });
});

describe('afterFailure', () => {
  const rule = { windowSeconds: 60, threshold: 4, blockSeconds: 300 };
  const fresh: Backoff = { failures: [], blockedUntil: 0 };
  const failedAt = (seconds: number[]): Backoff =>
    seconds.reduce((backoff, second) => recordFailure(backoff, rule, second * 1000), fresh);

  it('looks back over the window, not from the first failure on', () => {
    expect(failedAt([0, 50, 55, 61]).blockedUntil).to.equal(0);
    expect(failedAt([0, 50, 55, 61, 62])).to.deep.equal({ failures: [], blockedUntil: 362_000 });
  });

  it('counts a failure no more once the whole window has passed', () => {
    expect(failedAt([0, 1, 2, 60]).blockedUntil).to.equal(0);
    expect(failedAt([0, 1, 2, 59.999]).blockedUntil).to.equal(359_999);
  });

  it('property: failures during a block change nothing', () => {
    const seconds = fc.array(fc.integer({ min: 3, max: 302 }), { maxLength: 20 });
    fc.assert(
      fc.property(seconds, (during) => {
        const blocked = failedAt([0, 1, 2, 3]);
        expect(failedAt([0, 1, 2, 3, ...during.sort((a, b) => a - b)])).to.deep.equal(blocked);
      }),
    );
  });
});
