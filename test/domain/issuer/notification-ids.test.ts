import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemClock, systemRandom } from '../../../adapters/system/system.ts';
import { NotificationIds } from '../../../domain/issuer/endpoints/notification-ids.ts';
import { ServerSecret } from '../../../domain/keys/server-secret.ts';

describe('notification ids', () => {
  const make = () => {
    const parts = { store: new MemoryStore(systemClock), clock: systemClock, random: systemRandom };
    return new NotificationIds({ secret: new ServerSecret(parts, 'nonces') });
  };

  it('name an item of the grant that got it, also after the token was refreshed, and nothing of any other', async () => {
    const ids = make();
    const grant = { sessionId: 's', grantId: 'g', authorizationId: 'a' };
    const id = await ids.of(grant, 7);
    expect(id).to.match(/^7\.[\w-]{43}$/);
    expect(await ids.itemOf(grant, id)).to.equal(7);
    expect(await ids.itemOf({ ...grant, grantId: 'refreshed' }, id)).to.equal(7);
    for (const other of [
      { sessionId: 's', grantId: 'g' },
      { ...grant, authorizationId: 'b' },
      { ...grant, sessionId: 't' },
    ])
      expect(await ids.itemOf(other, id)).to.equal(undefined);
    for (const text of ['', '7', 's.7', id.replace('7', '8'), id.replace('7', '07'), `${id}A`, `x${id}`])
      expect(await ids.itemOf(grant, text), text).to.equal(undefined);
    expect(await make().itemOf(grant, id)).to.equal(undefined);
  });
});
