import { expect } from 'chai';
import { keptUntil } from '../../../domain/wallet/issuance/interrupted-offers.ts';
import type { RedeemedOffer } from '../../../domain/wallet/issuance/issuances.ts';

const HOUR = 60 * 60 * 1000;

describe('an interrupted offer', () => {
  const until = (changes: Partial<RedeemedOffer>) =>
    keptUntil({ accessToken: 'a', metadata: {}, issued: [], deferred: [], ...changes }, { now: 5, otherwiseMs: HOUR });

  it('is kept for 30 days where something of it was delivered', () => {
    const issued = [{ format: 'jwt_vc_json', credential: 'a.b.c' }];
    const deferred = [
      {
        transactionId: 't',
        isToken: false,
        configurationId: 'c',
        described: { format: 'jwt_vc_json' },
      },
    ];
    expect([until({}), until({ issued }), until({ deferred })]).to.deep.equal([
      5 + HOUR,
      5 + 30 * 24 * HOUR,
      5 + 30 * 24 * HOUR,
    ]);
  });
});
