import { expect } from 'chai';
import { GRANT } from '../../demo/actors/holder-key.ts';
import { accountRequest, login, may, mayNot, PASSWORD, registration, SUPERADMIN, TOKEN } from '../actors/tenant.ts';
import { CARDS, offerOf } from '../actors/tenant-issuer.ts';
import { type Instances, startInstances } from '../support/servers/instances.ts';
import type { Answer, TestServer, TestStore } from '../support/servers/server.ts';
import { addressesOf, type RedisNode, startNode } from '../support/stores/redis.ts';

// What one Redis and a cluster do at once with their records is the same (collection.contract.ts); issuances are raced on a cluster.
for (const store of ['redis'] satisfies TestStore[])
  describe(`Tenants of two instances on one ${store}`, () => {
    let instances: Instances;
    let one: TestServer;
    let other: TestServer;
    let root: string;
    let limits: RedisNode;
    before(async () => {
      limits = await startNode();
      const settings = {
        superadminRegistration: { tokens: { [TOKEN]: registration() } },
        rateLimit: {
          persistence: { type: 'kvstore' as const, nodes: addressesOf([limits]) },
          superadmin_create_by_token_endpoint: { requestsPerMinute: 30, failureThreshold: 1000 },
          enterprise_auth_endpoint: { requestsPerMinute: 1000, failureThreshold: 30 },
        },
      };
      instances = await startInstances({ store, settings });
      [one, other] = instances.servers;
    });
    after(async () => {
      await instances.close();
      limits.discard();
    });

    /** Sends concurrent requests to both instances in turn and counts the answers by status. */
    async function race(
      work: (server: TestServer, n: number) => Promise<Answer>,
      count = 20,
    ): Promise<Record<number, number>> {
      const answers = await Promise.all(Array.from({ length: count }, (_, n) => work(n % 2 === 0 ? one : other, n)));
      const counts: Record<number, number> = {};
      for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
      return counts;
    }
    const post = (server: TestServer, operationId: string, target: string, json: unknown = {}, token = root) =>
      server.call(operationId, { path: { target }, json, token });

    it('a token of the operator creates one account, and its limit is one', async () => {
      const {
        200: created,
        409: late = 0,
        429: over = 0,
      } = await race((at) => at.call('createSuperadmin', { text: TOKEN }), 40);
      expect([created, late, over]).to.deep.equal([1, 29, 10]);
      root = await login(one, SUPERADMIN);
    });

    it('of concurrent creations of each kind exactly one succeeds', async () => {
      const organization = { json: { _id: 'acme' }, token: root };
      const once = { 201: 1, 409: 19 };
      expect(await race((at) => at.call('createOrganization', organization))).to.deep.equal(once);
      const creations: [string, string, unknown][] = [
        ['createTenant', 'acme.t1', {}],
        ['createService', 'acme.t1.kms', { type: 'kms' }],
        ['createService', 'acme.t1.dids', { type: 'did-store' }],
        ['createService', 'acme.t1.creds', { type: 'credential-store' }],
        ['generateKey', 'acme.t1.kms.k1', {}],
        ['addDid', 'acme.t1.dids.d1', { did: 'did:web:example.org', document: { id: 'did:web:example.org' } }],
        ['addCredential', 'acme.t1.creds.c1', { credential: { type: 'x' } }],
        ['createRole', 'acme.r1', { name: 'R', permissions: [] }],
      ];
      for (const [operationId, target, json] of creations)
        expect(await race((at) => post(at, operationId, target, json)), `${operationId} ${target}`).to.deep.equal(once);
      const account = { json: accountRequest('race@example.org'), token: root };
      expect(await race((at) => at.call('registerEnterpriseAccount', account))).to.deep.equal(once);
    });

    it('a login, a role and a denial of one apply at the other with its next request', async () => {
      const { body } = await one.call('registerEnterpriseAccount', {
        json: accountRequest('member@example.org'),
        token: root,
      });
      const token = await login(other, 'member@example.org');
      const list = (at: TestServer) => at.call('listKeys', { path: { target: 'acme.t1.kms' }, token });
      expect((await list(one)).status).to.equal(404);
      const give = async (at: TestServer, roleId: string, permissions: unknown) => {
        await post(at, 'createRole', `acme.${roleId}`, { name: roleId, permissions });
        await at.call('assignRole', { path: { accountId: body._id, org: 'acme', roleId }, token: root });
      };
      await give(one, 'reader', [may('acme.t1', 'list-keys')]);
      expect((await list(other)).status).to.equal(200);
      await give(other, 'denied', [mayNot('acme.t1.kms', 'list-keys')]);
      expect((await list(one)).status).to.equal(403);
    });

    it('of a creation and the removal of its parent at once never both succeed', async () => {
      for (let round = 0; round < 5; round += 1) {
        await post(one, 'createTenant', `acme.gone${round}`);
        const [removed, added] = await Promise.all([
          one.call('deleteResource', { path: { target: `acme.gone${round}` }, token: root }),
          post(other, 'createTenant', `acme.gone${round}.child`),
        ]);
        expect([removed.status, added.status]).to.not.deep.equal([204, 201]);
        const left = await other.call('getResource', { path: { target: `acme.gone${round}.child` }, token: root });
        expect(left.status, `${removed.status} ${added.status}`).to.equal(added.status === 201 ? 200 : 404);
      }
    });

    it('pages are the same at both while nothing is written', async () => {
      await race((at, n) => post(at, 'generateKey', 'acme.t1.kms', { keyType: n % 2 === 0 ? 'Ed25519' : 'secp256r1' }));
      const page = async (at: TestServer, query: Record<string, string>) =>
        (await at.call('listKeys', { path: { target: 'acme.t1.kms' }, query, token: root })).body;
      const whole = await page(one, { sort: 'createdDateTime+' });
      expect(whole).to.have.length(21);
      expect(await page(other, { sort: 'createdDateTime+' })).to.deep.equal(whole);
      const parts = [];
      for (let offset = 0; offset < 21; offset += 4)
        parts.push(
          ...(await page(offset % 8 === 0 ? one : other, {
            sort: 'createdDateTime+',
            offset: String(offset),
            limit: '4',
          })),
        );
      expect(parts).to.deep.equal(whole);
    });

    it('a domain that one gives to a tenant reaches only that tenant at the other after two seconds', async () => {
      await one.call('createHostAlias', {
        path: { target: 'acme.t1' },
        json: { domain: 'tenant.example.org' },
        token: root,
      });
      for (const { clock } of [one, other]) clock.advance(2000);
      const at = (target: string) =>
        other.call('getResource', { path: { target }, token: root, headers: { host: 'tenant.example.org' } });
      expect((await at('acme.t1.kms')).status).to.equal(200);
      expect((await at('acme')).status).to.equal(404);
    });

    it('the recorded events of both are one chain without gaps or forks', async () => {
      const check = async (at: TestServer) =>
        (await at.call('checkAuditTrail', { path: { target: 'acme' }, token: root })).body;
      const before = await check(one);
      await race((at, n) => post(at, 'createTenant', `acme.audited${n}`), 50);
      const [first, second] = [await check(one), await check(other)];
      expect(first).to.deep.equal(second);
      expect(first).to.deep.include({ valid: true, checked: before.checked + 100 });
      const query = { action: 'createTenant', outcome: 'succeeded', limit: '1000' };
      const { events } = (await other.call('listAuditEvents', { path: { target: 'acme' }, query, token: root })).body;
      const targets = new Set(events.map(({ target }: { target: string }) => target));
      for (let n = 0; n < 50; n += 1) expect(targets).to.include(`acme.audited${n}`);
    });

    it('wrong passwords at both are counted together, and recorded', async () => {
      const wrong = { json: { email: SUPERADMIN, password: `${PASSWORD} not` } };
      let refused = 0;
      for (let n = 0; n < 20; n += 1)
        if ((await (n % 2 === 0 ? one : other).call('loginEnterpriseAccount', wrong)).status === 401) refused += 1;
      // Those of the race for an address were counted before.
      expect(refused).to.equal(11);
      const query = { action: 'loginEnterpriseAccount', outcome: 'refused' };
      const { events } = (await one.call('listInstallationEvents', { query, token: root })).body;
      expect(events).to.have.length(refused);
    });

    it('an offer of a tenant’s issuer is redeemed once, at either, and both show its session', async () => {
      const issuer = 'acme.t1.issuer';
      const path = { target: issuer };
      await post(one, 'createService', issuer, { type: 'issuer2', ...CARDS });
      const offered = await post(one, 'tenantCreateCredentialOffer', issuer, offerOf({ valueMode: 'BY_VALUE' }));
      const offer = JSON.parse(new URL(offered.body.credentialOffer).searchParams.get('credential_offer') ?? '');
      const form = { grant_type: GRANT, 'pre-authorized_code': offer.grants[GRANT]['pre-authorized_code'] };
      const redeem = (at: TestServer) => at.call('tenantRequestOpenid4vciToken', { path, form });
      const { 200: won, 400: over = 0, 503: putOff = 0 } = await race(redeem, 4);
      expect([won, over + putOff]).to.deep.equal([1, 3]);
      expect((await redeem(other)).status).to.equal(400);
      for (const server of [one, other]) {
        const { body } = await server.call('tenantListIssuanceSessions', { path, token: root });
        expect(body).to.have.length(1);
      }
    });
  });
