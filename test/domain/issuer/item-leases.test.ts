import { expect } from 'chai';
import { MAX_ATTEMPTS } from '../../../domain/foundation/records.ts';
import { type Access, ItemLeases } from '../../../domain/issuer/sessions/item-leases.ts';

describe('leases of items', () => {
  it('a request that loses every race for its session gives up after a bounded number of attempts', async () => {
    let lost = 0;
    const session = { value: { state: 'ACTIVE', leases: [] } };
    const nonces = { accept: async () => true, again: () => nonces, restore: async () => undefined };
    const moveUnchanged = async () => {
      lost += 1;
    };
    const leases = new ItemLeases({
      sessions: { live: async () => session, moveUnchanged },
      clock: { now: () => 0 },
      ids: { uuid: () => 'owner' },
    } as never);
    const access = { issuer: {}, grant: {}, session, nonces } as unknown as Access;
    const work = { make: async () => '', settle: (same: never) => same };
    const outcome = await leases.run(access, { items: [0], nonce: 'n' }, work).catch((error) => error.code);
    expect([outcome, lost]).to.deep.equal(['StoreUnavailable', MAX_ATTEMPTS]);
  });
});
