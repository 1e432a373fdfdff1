import { expect } from 'chai';
import fc from 'fast-check';
import { isPassed, isReached, numericDate, timeProblems } from '../../../domain/jose/jwt-claims.ts';

const seconds = fc.integer({ min: -1_000_000, max: 4_000_000_000 });
const skew = fc.integer({ min: 0, max: 600_000 });
const noNumber = fc.constantFrom(null, '1', true, [], {}, Number.NaN, Number.POSITIVE_INFINITY);

describe('the time claims of a JWT', () => {
  it('nbf and iat may be ahead of our clock by at most the skew', () => {
    fc.assert(
      fc.property(
        seconds,
        skew,
        fc.constantFrom('nbf', 'iat'),
        fc.integer({ min: -5, max: 5 }),
        (at, skewMs, name, off) => {
          const now = at * 1000 - skewMs + off;
          expect(timeProblems({ [name]: at }, { now, skewMs })).to.deep.equal(off < 0 ? { [name]: 'future' } : {});
          expect(isReached(at * 1000, { now, skewMs })).to.equal(off >= 0);
        },
      ),
    );
  });

  it('from the moment of exp on, plus the skew, nothing is accepted', () => {
    fc.assert(
      fc.property(seconds, skew, fc.integer({ min: -5, max: 5 }), (at, skewMs, off) => {
        const now = at * 1000 + skewMs + off;
        expect(timeProblems({ exp: at }, { now, skewMs })).to.deep.equal(off < 0 ? {} : { exp: 'past' });
        expect(isPassed(at * 1000, { now, skewMs })).to.equal(off >= 0);
      }),
    );
  });

  it('iat may be as long ago as the maximum age, not longer', () => {
    fc.assert(
      fc.property(seconds, skew, fc.integer({ min: -5, max: 5 }), (at, maxAgeMs, off) => {
        const problems = timeProblems({ iat: at }, { now: at * 1000 + maxAgeMs + off, maxAgeMs, skewMs: 60_000 });
        expect(problems).to.deep.equal(off > 0 ? { iat: 'too-old' } : {});
      }),
    );
  });

  it('a claim that is no finite number is malformed, and an absent one is missing only where it is required', () => {
    fc.assert(
      fc.property(fc.constantFrom('iat', 'nbf', 'exp'), noNumber, seconds, (name, value, now) => {
        expect(timeProblems({ [name]: value }, { now })).to.deep.equal({ [name]: 'malformed' });
        expect(timeProblems({}, { now })).to.deep.equal({});
        expect(timeProblems({}, { now, required: [name] })).to.deep.equal({ [name]: 'missing' });
      }),
    );
  });

  it('each claim is checked by itself', () => {
    const claims = { iat: 200, nbf: 200, exp: 50 };
    expect(timeProblems(claims, { now: 100_000 })).to.deep.equal({ iat: 'future', nbf: 'future', exp: 'past' });
    expect(numericDate(1.5)).to.equal(1500);
  });
});
