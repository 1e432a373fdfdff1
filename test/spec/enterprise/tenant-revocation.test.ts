import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { type EnterpriseFixture, KMS, startEnterprise, VERIFIER } from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { createIssuer, ISSUER, offerOf } from '../../actors/tenant-issuer.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { startServer, type TestServer } from '../../support/servers/server.ts';
import { readTokenList } from '../../support/status/issued-lists.ts';
import { freePort } from '../../support/stores/redis.ts';

const STATUS = 'acme.t1.status1';
const SESSION = 'card-of-alice';
const VALID = { policy: 'credential-status', argument: { discriminator: 'ietf', value: 0 } };

describe('the status of a credential of a tenant', () => {
  let world: EnterpriseFixture;
  let other: TestServer;
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'credenza-revocation-'));
    const shared = { dataDir, ...(process.env.TEST_STORE === undefined && { store: 'sqlite' as const }) };
    world = await startEnterprise({}, shared);
    other = await startServer({ ...shared, settings: { publicUrl: world.server.url, port: await freePort() } });
  });
  after(async () => {
    await other.close();
    await world.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('is revoked by the tenant: every instance publishes it, and the verifier refuses the credential from then on', async () => {
    const { server, root } = world;
    const statusLists = { Card: { type: 'TokenStatusList' } };
    await ok(world.post('createService', STATUS, { type: 'credential-status', dependencies: [KMS] }), 201);
    await ok(createIssuer(world, { dependencies: [KMS, STATUS], statusLists }), 201);
    const written = offerOf({ sessionId: SESSION, reference: 'File 4711', recipient: 'alice@example.org' });
    const offer = await ok(world.post('tenantCreateCredentialOffer', ISSUER, written), 201);
    const alice = await newWalletUser(server);
    const [card] = await ok(alice.call('acceptCredentialOffer', { text: offer.credentialOffer }));
    expect(JSON.stringify(card)).not.to.match(/4711|alice@/);
    const session = { path: { target: ISSUER, sessionId: SESSION }, token: root };
    expect(await ok(server.call('tenantGetIssuanceSession', session))).to.include({ recipient: 'alice@example.org' });
    expect((await server.call('tenantDeleteIssuanceRecipient', session)).status).to.equal(204);
    expect(JSON.stringify(await ok(server.call('tenantGetIssuanceSession', session)))).not.to.contain('alice@');
    const { vct } = card.parsedDocument;

    const [entry] = await ok(
      server.call('tenantFindStatusEntries', {
        path: { target: STATUS },
        query: { session: `${ISSUER}.${SESSION}` },
        token: root,
      }),
    );
    expect(entry).to.include({ status: 'valid' });
    expect(card.parsedDocument.status.status_list).to.deep.equal({
      idx: entry.index,
      uri: `${server.url}/v1/${STATUS}/status-lists/${entry.listId}`,
    });

    const vp = await Openid4vp.with(server, { target: VERIFIER, token: root });
    const query = { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: [vct] } };
    const present = async () => {
      const policies = { vc_policies: [VALID] };
      const created = await vp.create(crossDevice({ dcql_query: { credentials: [query] }, policies }));
      const presented = {
        presentationRequest: created.bootstrapAuthorizationRequestUrl,
        selectedCredentials: [card.id],
      };
      await alice.call('presentCredentials', { json: presented });
      return vp.info(created);
    };
    expect((await fetch(`${other.url}/v1/${STATUS}/status-lists/${entry.listId}`)).status).to.equal(200);
    expect((await present()).status).to.equal('SUCCESSFUL');
    const revoke = { session: `${ISSUER}.${SESSION}`, status: '0x1' };
    await ok(server.call('updateSessionStatus', { path: { target: STATUS }, json: revoke, token: root }));
    const key = await ok(server.call('getTenantKey', { path: { target: `${KMS}.key1` }, token: root }));
    const published = await fetch(`${other.url}/v1/${STATUS}/status-lists/${entry.listId}`);
    expect((await readTokenList(await published.text(), key.key.jwk)).status(entry.index)).to.equal(1);
    const refused = await present();
    expect(refused.status, JSON.stringify(refused)).to.equal('FAILED');
    expect(JSON.stringify(refused.policy_results)).to.contain('credential-status');
  });

  it('is published by every instance at most one time to live old, and read elsewhere within that time', async () => {
    const { server, root } = world;
    const target = 'acme.t1.status2';
    await ok(world.post('createService', target, { type: 'credential-status', dependencies: [KMS] }), 201);
    const changes = { dependencies: [KMS, target], statusLists: { Card: { type: 'TokenStatusList' } } };
    const issuer = 'acme.t1.issuer2';
    await ok(createIssuer(world, changes, issuer), 201);
    const offer = await ok(world.post('tenantCreateCredentialOffer', issuer, offerOf({ sessionId: SESSION })), 201);
    const [card] = await ok(
      (await newWalletUser(server)).call('acceptCredentialOffer', { text: offer.credentialOffer }),
    );
    const { uri, idx } = card.parsedDocument.status.status_list;
    const key = await ok(server.call('getTenantKey', { path: { target: `${KMS}.key1` }, token: root }));
    const { pathname, host } = new URL(uri);
    const listAt = async (at: TestServer) => {
      const reply = await at.fetch(pathname, { headers: { host } });
      const { claims, status } = await readTokenList(String(reply.body), key.key.jwk);
      const maxAge = Number(/max-age=(\d+)/.exec(reply.headers.get('cache-control') ?? '')?.[1]);
      return { iat: Number(claims.iat), exp: Number(claims.exp), ttl: Number(claims.ttl), maxAge, value: status(idx) };
    };
    // A server with a store of its own, which asks for the list as any other reader does.
    const reader = await startServer({ store: 'memory', settings: { outbound: { allow: ['127.0.0.1'] } } });
    const isRevoked = async () => (await reader.call('checkRevocation', { text: card.document })).body.isRevoked;
    const servers = [server, other];
    const advance = (ms: number) => {
      for (const one of [...servers, reader]) one.clock.advance(ms);
    };
    const before = await Promise.all(servers.map(listAt));
    const [{ ttl, maxAge }] = before as [(typeof before)[number]];
    expect([before.map(({ value }) => value), maxAge, await isRevoked()]).to.deep.equal([[0, 0], ttl, false]);
    const revoke = { session: `${issuer}.${SESSION}`, status: '0x1' };
    await ok(other.call('updateSessionStatus', { path: { target }, json: revoke, token: root }));
    expect((await Promise.all(servers.map(listAt))).map(({ value }) => value)).to.deep.equal([1, 1]);
    advance(ttl * 1000);
    expect(await isRevoked()).to.equal(true);
    const later = await Promise.all(servers.map(listAt));
    for (const [index, { iat, exp, value }] of later.entries()) {
      const now = Math.floor((servers[index]?.clock.now() ?? 0) / 1000);
      expect(now - iat).to.be.within(0, ttl);
      expect(iat).to.be.greaterThan(before[index]?.iat ?? 0);
      expect([exp > now, value]).to.deep.equal([true, 1]);
    }
    await reader.close();
  });
});
