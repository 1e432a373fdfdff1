import { expect } from 'chai';
import { CARD_SETTINGS, type HolderOfAll, holderOfAll } from '../../actors/holder-of-all.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import {
  asForm,
  type EnterpriseFixture,
  fieldsOf,
  login,
  may,
  oversized,
  SUPERADMIN,
  startEnterprise,
} from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { iaca, MDL } from '../../support/credentials/mdoc-issuer.ts';
import type { Call } from '../../support/servers/server.ts';
import { iaca as otherAuthority } from '../../support/trust/issuer-chains.ts';
import {
  jsonList,
  type ListSpec,
  listSigner,
  PID_ISSUANCE,
  rsaListSigner,
  signJson,
  signXml,
  xmlList,
} from '../../support/trust/trust-list-makers.ts';

describe('sources of trust registries', () => {
  const REGISTRY = 'acme.t1.registry1';
  const TRUSTING = 'acme.t1.trusting1';
  const signers = [listSigner().pem];
  /** How long a list that was fetched is kept. */
  const HOUR = 3_600_000;

  const peer = new HttpPeer();
  let world: EnterpriseFixture;
  let wallet: HolderOfAll;
  let root: string;
  before(async () => {
    await peer.listen();
    world = await startEnterprise(CARD_SETTINGS);
    ({ root } = world);
    await ok(world.post('createService', REGISTRY, { type: 'trust-registry', validateSignaturesByDefault: true }), 201);
    await ok(world.post('createService', TRUSTING, { type: 'verifier2', dependencies: [REGISTRY] }), 201);
    wallet = await holderOfAll(world.server);
  });
  after(async () => {
    await world.close();
    await peer.close();
  });

  let names = 0;
  const listOf = (spec: ListSpec = {}, signer = listSigner()) =>
    signJson(jsonList({ services: [{ certificate: iaca }], ...spec }), signer);
  const call = (operationId: string, { path, token = root, ...more }: Call = {}) =>
    world.server.call(operationId, { path: { target: REGISTRY, ...path }, token, ...more });
  const load = (json: object, target = REGISTRY) =>
    world.post('loadTrustSource', target, { sourceId: `s${++names}`, signers, ...json });
  const sources = async () => ok(call('listTrustSources'));
  const of = (operationId: string, sourceId: string) => call(operationId, { path: { sourceId } });
  const resolve = async (json: object = {}) =>
    ok(call('resolveTrustedCertificate', { json: { certificatePemOrDer: iaca.pem, ...json } }));
  afterEach(async () => {
    for (const { sourceId } of await sources()) await ok(of('deleteTrustSource', sourceId), 204);
  });

  /** The status of a session in which our wallet presents its mdoc. */
  async function presented(vc_policies?: object[]): Promise<string> {
    const claims = [{ path: [MDL.namespace, 'age_over_18'] }];
    const mdoc = { id: 'q', format: 'mso_mdoc', meta: { doctype_value: MDL.docType }, claims };
    const vp = await Openid4vp.with(world.server, { target: TRUSTING, token: world.root });
    const created = await vp.create(
      crossDevice({ dcql_query: { credentials: [mdoc] }, ...(vc_policies && { policies: { vc_policies } }) }),
    );
    const presentationRequest = created.bootstrapAuthorizationRequestUrl;
    const json = { presentationRequest, selectedCredentials: [wallet.ids.mso_mdoc] };
    await wallet.holder.call('presentCredentials', { json });
    return (await vp.info(created)).status;
  }

  describe('loadTrustSource', () => {
    const xml = (signer = rsaListSigner()) => signXml(xmlList({ services: [{ certificate: iaca }] }), { signer });
    for (const [what, family, json] of [
      ['JSON in a JWS', 'ETSI_TS_119_602', () => ({ content: listOf() })],
      ['XML', 'ETSI_TS_119_612', () => ({ content: xml(), signers: [rsaListSigner().pem] })],
      [
        'JSON without a signature that is said to have none',
        'ETSI_TS_119_602',
        () => ({
          content: JSON.stringify(jsonList({ services: [{ certificate: iaca }] })),
          acceptancePolicy: 'ALLOW_UNSIGNED',
          signers: undefined,
        }),
      ],
    ] as const)
      it(`201: ${what}, which verifiers believe from the next response on and no longer`, async () => {
        expect(await presented()).to.equal('FAILED');
        const loaded = await ok(load({ sourceId: 'own', displayName: 'Own', ...json() }), 201);
        const counts = { entitiesLoaded: 1, servicesLoaded: 1, identitiesLoaded: 1 };
        expect(loaded).to.deep.equal({ success: true, sourceId: 'own', ...counts });
        const [shown] = await sources();
        expect(shown).to.deep.include({ sourceId: 'own', displayName: 'Own', sourceFamily: family, entitiesCount: 1 });
        expect(shown.assurance.authenticityState).to.equal(what.includes('without') ? 'UNSIGNED' : 'VERIFIED');
        expect(await presented()).to.equal('SUCCESSFUL');
        await ok(of('deleteTrustSource', 'own'), 204);
        expect(await presented()).to.equal('FAILED');
      });

    it('201: at a URL, which is fetched again when it is refreshed', async () => {
      peer.routes['/list'] = () => ({ body: listOf({ services: [] }) });
      const url = `${peer.url}/list`;
      expect((await ok(load({ sourceId: 'far', url }), 201)).identitiesLoaded).to.equal(0);
      expect(await presented()).to.equal('FAILED');
      peer.routes['/list'] = () => ({ body: listOf() });
      expect((await ok(of('refreshTrustSource', 'far'))).identitiesLoaded).to.equal(1);
      expect((await sources())[0]).to.deep.include({ sourceId: 'far', url, entitiesCount: 1 });
      expect(await presented()).to.equal('SUCCESSFUL');
      peer.routes['/list'] = () => ({ body: listOf({}, listSigner(1)) });
      expect((await of('refreshTrustSource', 'far')).status).to.equal(400);
      expect(await presented()).to.equal('SUCCESSFUL');
    });

    it('400: names what is missing, too much or wrong; nothing is kept', async () => {
      const content = listOf();
      const url = `${peer.url}/list`;
      for (const [json, field] of [
        [{}, 'url'],
        [{ url, content }, 'url'],
        [{ url: 'file:///etc/passwd' }, 'url'],
        [{ content: url, acceptancePolicy: 'ALLOW_UNSIGNED' }, 'content'],
        [{ url, acceptancePolicy: 'ALLOW_UNSIGNED' }, 'acceptancePolicy'],
        [{ url, acceptancePolicy: 'ANY' }, 'acceptancePolicy'],
        [{ content, signers: [] }, 'signers'],
        [{ content, signers: undefined, acceptancePolicy: 'REQUIRE_VALID_SIGNATURE' }, 'signers'],
        [{ content, signers: ['AAAA'] }, 'signers/0'],
        [{ content, sourceId: 'a.b' }, 'sourceId'],
      ] as const)
        expect(fieldsOf(await load(json)), JSON.stringify(json)).to.deep.equal([`/body/${field}`]);
      const wrong = [listOf({}, listSigner(1)), JSON.stringify(jsonList()), 'nothing', '<a/>', `${content}x`];
      for (const text of wrong) expect((await load({ content: text })).status, text.slice(0, 20)).to.equal(400);
      expect(await sources()).to.deep.equal([]);
    });

    it('409: a name that is taken, of ten at once one gets it; at most 20 sources', async () => {
      const content = listOf();
      const answers = await Promise.all(Array.from({ length: 10 }, () => load({ sourceId: 'one', content })));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array(9).fill(409)]);
      for (let n = 1; n < 20; n += 1) await ok(load({ content }), 201);
      expect((await load({ content })).status).to.equal(409);
      expect(await sources()).to.have.length(20);
    });

    it('502, 504: a list that its publisher does not have, and one that does not come, also when it is refreshed', async () => {
      const url = `${peer.url}/late`;
      peer.routes['/late'] = () => ({ body: listOf() });
      await ok(load({ sourceId: 'late', url }), 201);
      peer.routes['/late'] = () => ({ status: 404 });
      expect((await load({ url: `${peer.url}/late?other` })).status).to.equal(502);
      expect((await of('refreshTrustSource', 'late')).status).to.equal(502);
      peer.routes['/late'] = () => undefined;
      const answers = await Promise.all([load({ url: `${peer.url}/late?another` }), of('refreshTrustSource', 'late')]);
      expect(answers.map(({ status }) => status)).to.deep.equal([504, 504]);
    });
  });

  it('the policy etsi-trust-list without lists asks the sources of the registries of the verifier', async () => {
    const policy = (more: object = {}) =>
      presented([{ policy: 'etsi-trust-list', expectedEntityType: 'PID_PROVIDER', ...more }]);
    expect(await policy()).to.equal('FAILED');
    await ok(load({ sourceId: 'other', content: listOf({ services: [{ certificate: otherAuthority(3) }] }) }), 201);
    expect(await policy()).to.equal('FAILED');
    await ok(load({ sourceId: 'own', content: listOf() }), 201);
    expect(await policy({ requireAuthenticated: true })).to.equal('SUCCESSFUL');
    expect(await policy({ expectedEntityType: 'WALLET_PROVIDER' })).to.equal('FAILED');
  });

  describe('resolveTrustedCertificate', () => {
    it('200: finds an issuer by an entry of the registry, which is of no type of list', async () => {
      const entry = `${REGISTRY}.entry1`;
      const json = { type: 'certificate', issuer: iaca.pem, credentialTypes: [MDL.docType] };
      await ok(world.post('addTrustedIssuer', entry, json), 201);
      const found = { decision: 'TRUSTED', trustedIssuer: entry, credentialTypes: [MDL.docType] };
      expect(await resolve()).to.deep.equal(found);
      expect((await resolve({ certificatePemOrDer: otherAuthority(3).pem })).decision).to.equal('NOT_TRUSTED');
      expect((await resolve({ expectedEntityType: 'PID_PROVIDER' })).decision).to.equal('NOT_TRUSTED');
      await ok(world.server.call('deleteResource', { path: { target: entry }, token: root }), 204);
      expect((await resolve()).decision).to.equal('NOT_TRUSTED');
    });

    it('200: finds an issuer by the type of its list and service', async () => {
      expect(await resolve()).to.deep.equal({
        decision: 'NOT_TRUSTED',
        reason: 'No entry or source names such an issuer',
      });
      await ok(load({ sourceId: 'pid', content: listOf() }), 201);
      const found = await resolve({ expectedEntityType: 'EUPIDProvidersList', expectedServiceType: PID_ISSUANCE });
      expect(found, JSON.stringify(found)).to.deep.include({
        decision: 'TRUSTED',
        sourceId: 'pid',
        serviceType: PID_ISSUANCE,
      });
      for (const wrong of [
        { expectedEntityType: 'EUWalletProvidersList' },
        { expectedServiceType: 'http://uri.etsi.org/19602/SvcType/PID/Revocation' },
        { certificatePemOrDer: otherAuthority(3).pem },
      ])
        expect((await resolve(wrong)).decision).to.equal('NOT_TRUSTED');
      const json = { certificateChain: [Buffer.from(iaca.der).toString('base64')] };
      expect((await ok(call('resolveTrustedChain', { json }))).decision).to.equal('TRUSTED');
    });

    it('400: names the certificate that is none', async () => {
      const one = await call('resolveTrustedCertificate', { json: { certificatePemOrDer: 'AAAA' } });
      expect(fieldsOf(one)).to.deep.equal(['/body/certificatePemOrDer']);
      const chain = await call('resolveTrustedChain', { json: { certificateChain: [iaca.pem, '?'] } });
      expect(fieldsOf(chain)).to.deep.equal(['/body/certificateChain/1']);
    });
  });

  const CALLS: Record<string, Call> = {
    loadTrustSource: { json: { sourceId: 'x', content: '{}', acceptancePolicy: 'ALLOW_UNSIGNED' } },
    listTrustSources: {},
    deleteTrustSource: { path: { sourceId: 'x' } },
    refreshTrustSource: { path: { sourceId: 'x' } },
    getTrustSourceHealth: { path: { sourceId: 'x' } },
    resolveTrustedCertificate: { json: { certificatePemOrDer: 'AAAA' } },
    resolveTrustedChain: { json: { certificateChain: ['AAAA'] } },
  };
  for (const [operationId, more] of Object.entries(CALLS))
    describe(operationId, () => {
      it('400, 401, 403, 404, 413 and 415', async () => {
        expect((await call(operationId, { ...more, path: { ...more.path, target: 'a..b' } })).status).to.equal(400);
        expect((await call(operationId, { ...more, token: 'x' })).status).to.equal(401);
        const { token } = await world.member([may('acme', 'did-list')]);
        expect((await call(operationId, { ...more, token })).status).to.equal(403);
        const foreign = await world.member([may('acme.t2')]);
        expect((await call(operationId, { ...more, token: foreign.token })).status).to.equal(404);
        for (const target of ['acme.t1.absent', TRUSTING])
          expect((await call(operationId, { ...more, path: { ...more.path, target } })).status, target).to.equal(404);
        if (more.path) expect((await call(operationId, more)).status).to.equal(404);
        if (!more.json) return;
        expect((await call(operationId, oversized)).status).to.equal(413);
        expect((await call(operationId, asForm)).status).to.equal(415);
      });
    });

  it('a registry that is created again at a target has no source of the first', async () => {
    const target = 'acme.t1.again';
    for (const count of [0, 0]) {
      await ok(world.post('createService', target, { type: 'trust-registry' }), 201);
      expect(await ok(call('listTrustSources', { path: { target } }))).to.have.length(count);
      await ok(load({ content: listOf() }, target), 201);
      await ok(world.server.call('deleteResource', { path: { target }, token: world.root }), 204);
    }
  });

  // The last one, since its clock goes on.
  describe('getTrustSourceHealth', () => {
    it('200: a list that is out of date or cannot be read gives no trust, and says why', async () => {
      const nextUpdate = new Date(world.server.clock.now() + HOUR / 2);
      await ok(load({ sourceId: 'old', content: listOf({ nextUpdate }) }), 201);
      expect(await ok(of('getTrustSourceHealth', 'old'))).to.include({ healthy: true, freshnessState: 'FRESH' });
      peer.routes['/flaky'] = () => ({ body: listOf() });
      await ok(load({ sourceId: 'flaky', url: `${peer.url}/flaky` }), 201);
      peer.routes['/flaky'] = () => ({ status: 500, body: '' });
      expect(await presented()).to.equal('SUCCESSFUL');
      world.server.clock.advance(HOUR + 1);
      root = await login(world.server, SUPERADMIN);
      const old = await ok(of('getTrustSourceHealth', 'old'));
      expect(old).to.include({ healthy: false, freshnessState: 'STALE' });
      expect(old.error).to.contain('out of date');
      expect(await ok(of('getTrustSourceHealth', 'flaky'))).to.include({ healthy: false });
      expect((await resolve()).decision).to.equal('UNDETERMINED');
    });
  });
});
