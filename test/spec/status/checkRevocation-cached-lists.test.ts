import { expect } from 'chai';
import { isRevoked, type ListOptions, refused, StatusChecks } from '../../support/status/status-checks.ts';
import { listClaims } from '../../support/status/status-lists.ts';

describe('checkRevocation', () => {
  const on = new StatusChecks();

  const hits = (list: string) => on.host.hits.get(new URL(list).pathname);

  it('200: fetches a list once for concurrent and successive checks', async () => {
    const list = await on.publish();
    await Promise.all(Array.from({ length: 20 }, (_, index) => on.checkList(list, index)));
    await on.checkList(list);
    expect(hits(list)).to.equal(1);
  });

  it('200: sees a revocation after five minutes, or sooner when the list has a shorter lifetime', async () => {
    const revoked = await on.issuer.sign(listClaims({ did: on.issuer.did, set: [7] }));
    const now = () => on.server.clock.now();
    const lists: [() => ListOptions, number][] = [
      [() => ({}), 300],
      [() => ({ subject: { ttl: 30_000 } }), 30],
      [() => ({ claims: { exp: Math.floor(now() / 1000) + 100 } }), 100],
      [() => ({ vc: { expirationDate: new Date(now() + 60_000).toISOString() } }), 60],
    ];
    for (const [options, seconds] of lists) {
      const list = await on.publish(options());
      expect(await isRevoked(on.checkList(list))).to.equal(false);
      on.host.replace(list, revoked);
      on.server.clock.advance((seconds - 10) * 1000);
      expect(await isRevoked(on.checkList(list)), `before ${seconds} s`).to.equal(false);
      on.server.clock.advance(11_000);
      expect(await isRevoked(on.checkList(list)), `after ${seconds} s`).to.equal(true);
    }
  });

  it('502, then 200: caches a failure for five seconds only', async () => {
    const list = on.host.publish((_, response) => void response.writeHead(500).end());
    await refused(on.checkList(list), 502, 'STATUS_RETRIEVAL_ERROR');
    on.host.replace(list, await on.issuer.sign(listClaims({ did: on.issuer.did, set: [7] })));
    await refused(on.checkList(list), 502, 'STATUS_RETRIEVAL_ERROR');
    expect(hits(list)).to.equal(1);
    on.server.clock.advance(5000);
    expect(await isRevoked(on.checkList(list))).to.equal(true);
  });
});
