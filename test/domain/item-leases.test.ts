import { expect } from 'chai';
import { MAX_ATTEMPTS } from '../../domain/foundation/records.ts';
import { type Access, ItemLeases } from '../../domain/issuer/item-leases.ts';

describe('leases of items', () => {
  it('a request that loses every race for its session gives up after a bounded number of attempts', async () => {
    let lost = 0;
    const session = { value: { state: 'ACTIVE', items: [{ id: 0 }] } };
    const nonce = { value: { nonce: 'n' } };
    const moveUnchanged = async () => {
      lost += 1;
    };
    const leases = new ItemLeases({
      sessions: { active: async () => session, moveUnchanged },
      nonces: { get: async () => nonce },
      clock: { now: () => 0 },
      ids: { uuid: () => 'owner' },
    } as never);
    const access = { issuer: {}, grant: {}, session, nonce } as unknown as Access;
    const outcome = await leases.issue(access, { itemId: 0, nonce: 'n' }, async () => '').catch((error) => error.code);
    expect([outcome, lost]).to.deep.equal(['StoreUnavailable', MAX_ATTEMPTS]);
  });
});
