import { expect } from 'chai';
import { LISTS } from '../../../domain/tenancy/services/lists.ts';
import { SERVICE_TYPES } from '../../../domain/tenancy/tree/service-types.ts';
import { attest, createAttester } from '../../actors/client-attester.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { type EnterpriseFixture, startEnterprise } from '../../actors/tenant.ts';
import { IACA_DATA, MDL, ok } from '../../actors/tenant-certificates.ts';
import { CARDS, MEMBER, offerOf, takeCard } from '../../actors/tenant-issuer.ts';
import { contract } from '../../support/documents/contract.ts';

describe('recreated services', () => {
  type Json = Record<string, unknown>;
  type Element = string | Record<string, string>;

  const TYPES = Object.keys(SERVICE_TYPES);
  const SESSION = 'first';
  /** The lists of a service beside those that the interface has. */
  const MORE_LISTS = ['listHostAliases', 'tenantListStatusLists', 'listDependencies', 'tenantListIssuanceProfiles'];

  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
  });
  after(() => world.close());

  const call = (operationId: string, target: string, more: Json = {}) =>
    world.server.call(operationId, { path: { target, ...(more.path as Json) }, ...more, token: world.root } as never);
  const post = (operationId: string, target: string, json: Json, status = 201) =>
    ok(world.post(operationId, target, json), status);

  /** A service of each type; those that need a certificate get one. */
  async function createServices(tenant: string): Promise<void> {
    const at = (type: string) => `${tenant}.${type}`;
    const profiles = { card: { ...CARDS.profiles.card, statusList: {} } };
    const configurations: Record<string, Json> = {
      'did-store': { dependencies: [at('kms')] },
      'credential-status': { dependencies: [at('kms')] },
      'x509-service': { dependencies: [at('kms'), at('x509-store')] },
      issuer2: { ...CARDS, profiles, dependencies: [at('kms'), at('credential-status')] },
      verifier2: { dependencies: [at('kms')] },
    };
    const rest = TYPES.filter((type) => type !== 'vical-service' && type !== 'client-attester');
    for (const type of ['kms', 'x509-store', ...rest.filter((one) => one !== 'kms' && one !== 'x509-store')].toSorted(
      (a, b) => Number(Object.hasOwn(configurations, a)) - Number(Object.hasOwn(configurations, b)),
    ))
      await post('createService', at(type), { type, ...configurations[type] });
    await post('generateKey', at('kms.certified'), { keyType: 'secp256r1' });
    const attesting = { signingKeyId: at('kms.certified'), dependencies: [at('kms')] };
    await createAttester(world, attesting, at('client-attester'));
    const wanted = { kid: at('kms.certified'), certificateId: 'iaca', certificateData: IACA_DATA, docType: [MDL] };
    const { certificate } = await post('createTenantIaca', at('x509-service'), wanted);
    const dependencies = [at('kms'), at('x509-store')];
    const config = { dependencies, kid: at('kms.certified'), x5Chain: [certificate.data.pem] };
    await post('createService', at('vical-service'), { type: 'vical-service', ...config });
  }

  /** Something in each service that stores something; returns the links and names by which it could be found. */
  async function fill(tenant: string) {
    const at = (name: string) => `${tenant}.${name}`;
    await post('addDid', at('did-store.one'), { did: 'did:web:one.example', document: { id: 'did:web:one.example' } });
    const credential = { type: 'x', credentialData: {}, signed: 'x' };
    await post('addCredential', at('credential-store.one'), { credential });
    await post('addStoredPolicy', at('policy-store.one'), { name: 'One', policy: { policy: 'signature' } });
    await post('createCredentialType', at('issuer2'), MEMBER);
    await ok(attest(world, { target: at('client-attester') }));
    await post('createSavedCheck', at('verifier2.one'), { name: 'One', setup: crossDevice() });
    const issuer = 'https://issuer.example.org';
    await post('addTrustedIssuer', at('trust-registry.one'), { type: 'url', issuer });
    await post('generateKey', at('kms.one'), { keyType: 'secp256r1' });
    await post('publishVical', at('vical-service'), { vicalProvider: 'One', versionId: 'one' });
    const { credentialOffer } = await post(
      'tenantCreateCredentialOffer',
      at('issuer2'),
      offerOf({ sessionId: SESSION }),
    );
    const taken = await takeCard(world, credentialOffer);
    expect(taken.status, JSON.stringify(taken.body)).to.equal(200);
    const [{ document }] = taken.body;
    const [{ listId, url }] = await ok(call('tenantListStatusLists', at('credential-status')));
    const { did: issuerDid } = await post('createTenantDid', at('did-store.two'), {
      method: 'jwk',
      key: at('kms.one'),
    });
    const status = { kid: at('kms.one'), issuerDid, config: { type: 'TokenStatusList' } };
    await post('createStatusCredential', at('credential-status.one'), status);
    const vp = await Openid4vp.with(world.server, { target: at('verifier2'), token: world.root });
    const verification = await vp.create(crossDevice());
    const { requestId } = await vp.request(verification);
    for (const type of TYPES) await post('createHostAlias', at(type), { domain: `${type}.again.example` });
    return { document, listId, url, verification, requestId };
  }

  /** The lists of operations without other names than that of their target. */
  async function lists(): Promise<string[]> {
    const known = new Set([...Object.keys(LISTS), ...MORE_LISTS]);
    return (await contract).operations.map(({ operationId }) => operationId).filter((one) => known.has(one));
  }

  /** What all lists of all services show, by their operations, without the name of the tenant. */
  async function shown(tenant: string): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {};
    for (const operationId of await lists())
      for (const type of TYPES) {
        const { status, body } = await call(operationId, `${tenant}.${type}`);
        if (status !== 200) continue;
        const names = (body as Element[]).map((one) => (typeof one === 'string' ? one : nameOf(one)));
        found[`${operationId} ${type}`] = names.map((name) => name.replace(`${tenant}.`, '')).sort();
      }
    return found;
  }

  const nameOf = ({ _id, listId, domain, profileId, sessionId }: Record<string, string>): string =>
    _id ?? listId ?? domain ?? profileId ?? sessionId ?? '';

  /** Deletes all services, what they contain first, and again until none depends on another. */
  async function deleteServices(tenant: string): Promise<void> {
    for (let left: string[] = TYPES.map((type) => `${tenant}.${type}`), before = -1; left.length > 0; ) {
      expect(left.length, left.join()).not.to.equal(before);
      before = left.length;
      const kept: string[] = [];
      for (const service of left) {
        const { body } = await call('listResources', service);
        for (const { _id } of body) await call('deleteResource', _id);
        const { status } = await call('deleteResource', service);
        if (status !== 204) kept.push(service);
      }
      left = kept;
    }
  }

  describe('services of every type that are deleted and created again', () => {
    it('have nothing of the first ones, which cannot be found by its old names either', async () => {
      const [fresh, tenant] = ['acme.fresh', 'acme.again'];
      for (const one of [fresh, tenant]) {
        await world.post('createTenant', one, {});
        await createServices(one);
      }
      const empty = await shown(fresh);
      const first = await fill(tenant);
      const full = await shown(tenant);
      const stored = Object.keys(empty).filter((name) => !/^(listDependencies|tenantListIssuanceProfiles) /.test(name));
      const unused = stored.filter((name) => (full[name]?.length ?? 0) <= (empty[name]?.length ?? 0));
      // Services of these types contain no resources, and the x509-store had its certificate before.
      expect(unused.filter((name) => !/^listResources |^listCertificate(s|Ids) /.test(name))).to.deep.equal([]);

      await deleteServices(tenant);
      expect((await fetch(first.url)).status).to.equal(200);
      await createServices(tenant);
      expect(await shown(tenant)).to.deep.equal(empty);
      await expectNothingLeft(tenant, first);
    });

    async function expectNothingLeft(tenant: string, { document, listId, url, verification, requestId }: Json) {
      const [issuer, status, verifier] = ['issuer2', 'credential-status', 'verifier2'].map(
        (type) => `${tenant}.${type}`,
      );
      const session = `${issuer}.${SESSION}`;
      const { sessionId } = verification as Record<string, string>;
      const json = { session, status: '0x1' };
      const attempts = [
        await call('updateSessionStatus', status ?? '', { json }),
        await call('tenantChangeStatusEntries', status ?? '', { json: { session, action: 'revoke' } }),
        await call('tenantGetStatusListFacts', status ?? '', { path: { target: status, listId } }),
        await call('tenantListStatusEntries', status ?? '', { path: { target: status, listId } }),
        await call('tenantGetIssuanceSession', issuer ?? '', { path: { target: issuer, sessionId: SESSION } }),
        await call('tenantGetVerificationSession', verifier ?? '', { path: { target: verifier, sessionId } }),
        await call('tenantGetAuthorizationRequest', verifier ?? '', { path: { target: verifier, requestId } }),
        await call('getTenantVical', `${tenant}.vical-service`),
      ];
      expect(attempts.map((answer) => answer.status)).to.deep.equal(attempts.map(() => 404));
      const found = await call('tenantFindStatusEntries', status ?? '', { query: { session } });
      expect(found.body).to.deep.equal([]);
      // A session of the new issuer with the same name is another one, and the credential of the first stays valid.
      const again = await post('tenantCreateCredentialOffer', issuer ?? '', offerOf({ sessionId: SESSION }));
      await takeCard(world, again.credentialOffer);
      expect(await ok(call('updateSessionStatus', status ?? '', { json }))).to.have.length(1);
      expect((await fetch(String(url))).status).to.equal(200);
      const check = await world.server.call('checkRevocation', { text: String(document) });
      expect(check.body).to.deep.equal({ isRevoked: false });
    }
  });
});
