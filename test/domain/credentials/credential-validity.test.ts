import { expect } from 'chai';
import { validityBounds, validityPeriod } from '../../../domain/credentials/validity.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';

const periodOf = (claims: JsonObject) => validityPeriod(validityBounds(claims));

describe('validityPeriod', () => {
  it('is the period in which every bound is met', () => {
    const claims = {
      nbf: 10,
      exp: 100,
      vc: {
        validFrom: '1970-01-01T00:00:20Z',
        issuanceDate: '1970-01-01T00:00:05Z',
        expirationDate: '1970-01-01T00:00:50Z',
      },
    };
    expect(periodOf(claims)).to.deep.equal({ from: 20_000, until: 50_000 });
    expect(periodOf({})).to.deep.equal({ from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY });
  });

  it('names a bound that is not a date', () => {
    const cases: [string, JsonObject][] = [
      ['exp', { exp: '1' }],
      ['nbf', { nbf: null }],
      ['validUntil', { validUntil: 'soon' }],
      ['expirationDate', { vc: { expirationDate: 5 } }],
      ['exp', { exp: 1e300, nbf: 1 }],
    ];
    for (const [malformed, claims] of cases) expect(periodOf(claims), malformed).to.deep.equal({ malformed });
  });
});
