import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { type EnterpriseFixture, KMS, startEnterprise, VERIFIER } from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { createIssuer, ISSUER, offerOf } from '../../actors/tenant-issuer.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';
import { readTokenList } from '../../support/issued-lists.ts';
import { freePort } from '../../support/redis.ts';
import { startServer, type TestServer } from '../../support/server.ts';

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
    const offer = await ok(world.post('tenantCreateCredentialOffer', ISSUER, offerOf({ sessionId: SESSION })), 201);
    const alice = await newWalletUser(server);
    const [card] = await ok(alice.call('acceptCredentialOffer', { text: offer.credentialOffer }));
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
});
