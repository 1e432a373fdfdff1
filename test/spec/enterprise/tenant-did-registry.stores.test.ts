import { expect } from 'chai';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { DID_STORE, type EnterpriseFixture, fieldsOf, KMS, startEnterprise } from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { belowRegistry, createDid, DID_REGISTRY, DID_SERVICE, key, startDids } from '../../actors/tenant-dids.ts';
import { CARDS, ISSUER, offerOf } from '../../actors/tenant-issuer.ts';
import { newWalletUser } from '../../actors/wallet-user.ts';

describe('DID registries of tenants', () => {
  const DOMAIN = 'dids.example.org';
  const OTHER = 'other.example.org';

  let world: EnterpriseFixture;
  let port: string;
  before(async () => {
    world = await startEnterprise({ services: { trustedProxies: ['127.0.0.1'] } });
    await startDids(world);
    ({ port } = new URL(world.server.url));
    await ok(world.post('createHostAlias', 'acme.t1', { domain: DOMAIN }), 201);
    await ok(world.post('createTenant', 'acme.t2', {}), 201);
    await ok(world.post('createHostAlias', 'acme.t2', { domain: OTHER }), 201);
    await ok(world.post('createService', 'acme.t2.registry', { type: 'did-registry', dependencies: [DID_STORE] }), 201);
  });
  after(() => world.close());

  const didOf = (domain: string, ...path: string[]) => ['did:web', `${domain}%3A${port}`, ...path].join(':');
  const create = async (domain: string, path: string | undefined, more: object = {}) =>
    ok(createDid(world, 'web', { keyId: key('one'), domain, path, ...more }), 201);
  const onHost = (host: string, path: string, headers: Record<string, string> = {}) =>
    world.server.fetch(path, { headers: { host, ...headers } });
  const atPath = (id: string, { target = DID_REGISTRY, host = '' } = {}) =>
    world.server.call('getRegistryDid', { path: { target, did: id }, ...(host && { headers: { host } }) });

  describe('getDomainDid', () => {
    it('200: the document of the domain, without a login and to pages of every origin', async () => {
      const { document } = await create(`${DOMAIN}:${port}`, undefined);
      const { status, body, headers } = await onHost(DOMAIN, '/.well-known/did.json');
      expect([status, body]).to.deep.equal([200, document]);
      expect(body.id).to.equal(didOf(DOMAIN));
      expect(headers.get('access-control-allow-origin')).to.equal('*');
      expect(headers.get('cache-control')).to.equal('public, max-age=60');
    });
  });

  describe('getDomainPathDid', () => {
    it('200: the documents of paths below the domain', async () => {
      for (const path of ['users/alice', 'bob']) {
        const { did, document } = await create(`${DOMAIN}:${port}`, path);
        expect(did).to.equal(didOf(DOMAIN, ...path.split('/')));
        const answer = await onHost(DOMAIN, `/${path}/did.json`);
        expect([answer.status, answer.body], path).to.deep.equal([200, document]);
      }
    });

    it('200: by any spelling of the host, and by that of a trusted proxy', async () => {
      for (const host of [DOMAIN.toUpperCase(), `${DOMAIN}:${port}`, `${DOMAIN}.`])
        expect((await onHost(host, '/bob/did.json')).status, host).to.equal(200);
      expect((await onHost('127.0.0.1', '/bob/did.json', { 'x-forwarded-host': DOMAIN })).status).to.equal(200);
    });

    it('200: also where the first segment is one of the API', async () => {
      const { document } = await create(`${DOMAIN}:${port}`, 'v1/alice');
      expect((await onHost(DOMAIN, '/v1/alice/did.json')).body).to.deep.equal(document);
    });

    it('404: on another host, of another tenant, or of none', async () => {
      for (const host of [
        OTHER,
        'unknown.example',
        `127.0.0.1:${port}`,
        `${DOMAIN}.example`,
        `a.${DOMAIN}`,
        `x@${DOMAIN}`,
        `${DOMAIN}, ${OTHER}`,
      ])
        for (const path of ['/bob/did.json', '/.well-known/did.json'])
          expect((await onHost(host, path)).status, `${host} ${path}`).to.equal(404);
    });

    it('404: a DID of the domain of one tenant is published by no other, even one that has its store', async () => {
      const { did } = await create(`${OTHER}:${port}`, 'bob');
      expect(did).to.equal(didOf(OTHER, 'bob'));
      expect((await onHost(OTHER, '/bob/did.json')).status).to.equal(200);
      expect((await onHost(DOMAIN, '/bob/did.json')).body.id).to.equal(didOf(DOMAIN, 'bob'));
      await create('elsewhere.example.org', 'dora');
      for (const host of [DOMAIN, OTHER]) expect((await onHost(host, '/dora/did.json')).status).to.equal(404);
    });

    it('404 or 400: encoded slashes, dots and strange paths name no other document', async () => {
      for (const path of [
        '/users%2Falice/did.json',
        '/users%2falice/did.json',
        '/users%5Calice/did.json',
        '/users%252Falice/did.json',
        '//bob/did.json',
        '/bob//did.json',
        '/bob/did.json/',
        '/users%3Aalice/did.json',
        '/bob%00/did.json',
        `/${'a'.repeat(1025)}/did.json`,
        '/%C3%A9/did.json',
      ])
        expect((await onHost(DOMAIN, path)).status, path).to.be.oneOf([400, 404]);
    });

    it('405: answers GET and HEAD alone', async () => {
      const answer = await world.server.fetch('/bob/did.json', { method: 'POST', headers: { host: DOMAIN } });
      expect([answer.status, answer.headers.get('allow')]).to.deep.equal([405, 'HEAD, GET, OPTIONS']);
    });

    it('404: a deleted DID; 410: a deactivated one, at both paths', async () => {
      await create(`${DOMAIN}:${port}`, 'gone');
      await ok(world.post('deactivateServiceDid', DID_SERVICE, { did: didOf(DOMAIN, 'gone') }));
      expect((await onHost(DOMAIN, '/gone/did.json')).status).to.equal(410);
      expect((await atPath('gone')).status).to.equal(410);
      const root = await create(`${OTHER}:${port}`, undefined, { didId: 'deleted' });
      expect((await onHost(OTHER, '/.well-known/did.json')).body).to.deep.equal(root.document);
      await ok(world.post('deactivateServiceDid', DID_SERVICE, { did: root.did }));
      expect((await onHost(OTHER, '/.well-known/did.json')).status).to.equal(410);
      for (const store of [DID_STORE, 'acme.t1.dids2'])
        await ok(world.server.call('deleteResource', { path: { target: `${store}.deleted` }, token: world.root }), 204);
      expect((await onHost(OTHER, '/.well-known/did.json')).status).to.equal(404);
    });
  });

  describe('getRegistryDid', () => {
    it('200: by what follows the domain, with colons or encoded, on the host of the server and on the domain', async () => {
      for (const id of ['users:alice', 'bob'])
        for (const host of ['', DOMAIN]) {
          const { status, body } = await atPath(id, { host });
          expect([status, body.id]).to.deep.equal([200, didOf(DOMAIN, ...id.split(':'))]);
        }
      const path = `/v1/${DID_REGISTRY}/did-registry-service-api/registry/users%3Aalice/did.json`;
      expect((await world.server.fetch(path)).body.id).to.equal(didOf(DOMAIN, 'users', 'alice'));
    });

    it('404: what is not of the domain of its tenant, at another service, and on the domain of another tenant', async () => {
      for (const id of ['dora', 'absent', 'did:web:elsewhere.example.org:dora', '..', '%2e%2e'])
        expect((await atPath(id)).status, id).to.equal(404);
      for (const target of [DID_STORE, DID_SERVICE, 'acme.t1', 'absent'])
        expect((await atPath('bob', { target })).status, target).to.equal(404);
      expect((await atPath('bob', { host: OTHER })).status).to.equal(404);
      expect((await atPath('bob', { target: 'acme.t2.registry' })).body.id).to.equal(didOf(OTHER, 'bob'));
    });

    it('400: an id with an encoded slash, or too long', async () => {
      for (const id of ['users/alice', 'a'.repeat(1025), 'é'])
        expect(fieldsOf(await atPath(id)), id).to.deep.equal(['/path/did']);
    });

    it('404: a document that was brought for a domain is answered for that domain alone', async () => {
      const did = didOf(DOMAIN, 'brought');
      await ok(world.post('addDid', `${DID_STORE}.brought`, { did, document: { id: did, service: [] } }), 201);
      expect((await atPath('brought')).body).to.deep.equal({ id: did, service: [] });
      expect((await onHost(OTHER, '/brought/did.json')).status).to.equal(404);
    });
  });

  describe('our own resolver, over HTTP', () => {
    // Another server, without a domain: the name of one would have to lead there.
    let plain: EnterpriseFixture;
    before(async () => {
      plain = await startEnterprise();
      await startDids(plain);
    });
    after(() => plain.close());

    it('what was signed before a rotation verifies until its key is removed; nothing after a deactivation', async () => {
      const { host } = new URL(plain.server.url);
      const json = { keyId: key('one'), domain: host, path: belowRegistry('issuer'), didId: 'issuer' };
      const { did } = await ok(createDid(plain, 'web', json), 201);
      const degree = {
        name: 'Degree',
        credentialConfigurationId: 'Degree_jwt_vc_json',
        credentialData: { type: ['VerifiableCredential', 'Degree'], credentialSubject: { level: 1 } },
      };
      const profiles = { degree: { ...degree, issuerDid: `${DID_STORE}.issuer` } };
      await ok(
        plain.post('createService', ISSUER, { type: 'issuer2', dependencies: [KMS, DID_STORE], ...CARDS, profiles }),
        201,
      );
      const user = await newWalletUser(world.server);
      const receive = async () => {
        const { credentialOffer } = await ok(
          plain.post('tenantCreateCredentialOffer', ISSUER, offerOf({ profileId: 'degree' })),
          201,
        );
        const [{ id, document }] = await ok(user.call('acceptCredentialOffer', { text: credentialOffer }));
        return { id, kid: JSON.parse(Buffer.from(document.split('.')[0], 'base64url').toString()).kid };
      };
      const query = { credentials: [{ id: 'q', format: 'jwt_vc_json', meta: { type_values: [['Degree']] } }] };
      const presented = async (id: string) => {
        const vp = await Openid4vp.with(world.server);
        const created = await vp.create(crossDevice({ dcql_query: query }));
        const json = { presentationRequest: created.bootstrapAuthorizationRequestUrl, selectedCredentials: [id] };
        await user.call('presentCredentials', { json });
        return (await vp.info(created)).status;
      };
      const rotate = (json: object) => ok(plain.post('rotateServiceDid', DID_SERVICE, { did, ...json }));

      const before = await receive();
      expect(await presented(before.id)).to.equal('SUCCESSFUL');
      await rotate({ keyId: key('two') });
      const after = await receive();
      expect(after.kid).to.not.equal(before.kid);
      for (const { id } of [before, after]) expect(await presented(id)).to.equal('SUCCESSFUL');
      await rotate({ keyId: key('two'), remove: [before.kid] });
      expect([await presented(before.id), await presented(after.id)]).to.deep.equal(['FAILED', 'SUCCESSFUL']);
      await ok(plain.post('deactivateServiceDid', DID_SERVICE, { did }));
      expect(await presented(after.id)).to.equal('FAILED');
      const offer = await plain.post('tenantCreateCredentialOffer', ISSUER, offerOf({ profileId: 'degree' }));
      expect([offer.status, offer.body.message]).to.deep.equal([409, `${did} is deactivated`]);
    });
  });
});
