import { expect } from 'chai';
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { CARD_SETTINGS, type HolderOfAll, holderOfAll } from '../../actors/holder-of-all.ts';
import { crossDevice, idIn, LOGIN, Openid4vp } from '../../actors/openid4vp.ts';
import { ENTERPRISE_SETTINGS, type EnterpriseFixture, enterpriseOn, KMS } from '../../actors/tenant.ts';
import { useServer } from '../../support/servers/server.ts';
import { testKeys } from '../../support/trust/certificates.ts';
import { anchorSettings, TestFederation } from '../../support/trust/federation.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

// biome-ignore lint/suspicious/noExplicitAny: sessions are read in any member
type Json = Record<string, any>;

const TENANT = 'acme.t1.shop';

describe('getVerifierEntity', () => {
  const federation = new TestFederation();
  const server = useServer(async () => {
    await federation.peer.listen();
    const anchor = federation.entity('anchor', 0);
    federation.entity('middle', 1, { superiors: [anchor] });
    const key = { type: 'jwk', jwk: testKeys('P-256', 77).privateKey.export({ format: 'jwk' }) };
    const verifier = {
      clientMetadata: { client_name: 'Shop' },
      federation: { authorityHints: [`${federation.peer.url}/middle`], key, trustChain: ['a.b.c', 'd.e.f'] },
    };
    const trustedVerifiers = { federations: [anchorSettings(anchor)] };
    return { settings: { ...CARD_SETTINGS, ...ENTERPRISE_SETTINGS, verifier, trustedVerifiers } };
  });
  let wallet: HolderOfAll;
  let world: EnterpriseFixture;
  before(async () => {
    wallet = await holderOfAll(server);
    world = await enterpriseOn(server);
    for (const name of ['requests', 'entity'])
      await world.post('generateKey', `${KMS}.${name}`, { keyType: 'secp256r1' });
    const authorityHints = [`${federation.peer.url}/anchor`];
    const keys = { signingKey: `${KMS}.requests`, federation: { authorityHints, signingKey: `${KMS}.entity` } };
    const made = await world.post('createService', TENANT, { type: 'verifier2', dependencies: [KMS], ...keys });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
  });
  after(() => federation.peer.close());

  /** The configuration of a verifier, and its registration at the federation. */
  async function registered(tenant?: string): Promise<{ id: string; text: string; claims: Json }> {
    const { status, headers, body } = tenant
      ? await server.call('tenantGetVerifierEntity', { path: { target: tenant } })
      : await server.call('getVerifierEntity');
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/entity-statement+jwt']);
    const claims: Json = decodeJwt(body);
    federation.foreign[claims.iss] = claims.jwks;
    return { id: claims.iss, text: body, claims };
  }

  it('200: the verifier signs what it publishes with a key of its own for that', async () => {
    const { text, claims } = await registered();
    const { metadata, jwks, authority_hints: hints, iat, exp } = claims;
    const key = await importJWK(jwks.keys[0], 'ES256');
    const { protectedHeader } = await jwtVerify(text, key, { currentDate: new Date(server.clock.now()) });
    expect(protectedHeader).to.include({ typ: 'entity-statement+jwt', kid: jwks.keys[0].kid });
    expect([claims.iss, claims.sub, hints]).to.deep.equal([server.url, server.url, [`${federation.peer.url}/middle`]]);
    expect(exp - iat).to.equal(86_400);
    const verifier = metadata.openid_credential_verifier;
    expect(verifier.client_name).to.equal('Shop');
    expect(verifier.vp_formats_supported).to.have.all.keys('jwt_vc_json', 'dc+sd-jwt', 'mso_mdoc');
    expect(verifier.jwks.keys[0].kid).to.not.equal(jwks.keys[0].kid);
    expect(JSON.stringify(claims)).to.not.include('"d"');
  });

  it('404: a verifier in no federation', async () => {
    const target = 'acme.t1.alone';
    await world.post('createService', target, { type: 'verifier2' });
    expect((await server.call('tenantGetVerifierEntity', { path: { target } })).status).to.equal(404);
  });

  it('404: a verifier whose key was deleted', async () => {
    const [target, signingKey] = ['acme.t1.keyless', `${KMS}.passing`];
    await world.post('generateKey', signingKey, { keyType: 'secp256r1' });
    const federated = { signingKey, federation: { authorityHints: [`${federation.peer.url}/anchor`] } };
    await world.post('createService', target, { type: 'verifier2', dependencies: [KMS], ...federated });
    const configuration = () => server.call('tenantGetVerifierEntity', { path: { target } });
    expect((await configuration()).status).to.equal(200);
    await server.call('deleteResource', { path: { target: signingKey }, token: world.root });
    const { status, body } = await configuration();
    expect([status, body.message]).to.match(/^404,.*does not have the keys/);
  });

  for (const tenant of [undefined, TENANT])
    it(`our wallet believes ${tenant ? 'a tenant' : 'the verifier'} below its trust anchor, and presents to it`, async () => {
      const { id, claims } = await registered(tenant);
      const vp = await Openid4vp.with(server, tenant ? { target: tenant, token: world.root } : undefined);
      const credentials = [{ id: 'q', format: 'dc+sd-jwt', meta: { vct_values: ['urn:card:1'] } }];
      const core = { dcql_query: { credentials }, signed_request: true, clientId: `openid_federation:${id}` };
      const created = await vp.create(crossDevice(core));
      const link: string = created.bootstrapAuthorizationRequestUrl;
      const { body: object } = await vp.fetch(idIn(new URL(link).searchParams.get('request_uri') ?? ''));
      const { kid, trust_chain: stated } = decodeProtectedHeader(object) as Json;
      expect(kid).to.equal(claims.metadata.openid_credential_verifier.jwks.keys[0].kid);
      expect(stated).to.deep.equal(tenant ? undefined : ['a.b.c', 'd.e.f']);
      const { status, body } = await wallet.holder.call('describePresentationRequest', { text: link });
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body.proof).to.deep.equal({
        kind: 'federation',
        entity: id,
        trustAnchor: `${federation.peer.url}/anchor`,
      });
      expect(body.verifier.name).to.equal(tenant ? undefined : 'Shop');
      const json = { presentationRequest: link, selectedCredentials: [wallet.ids['dc+sd-jwt']] };
      const presented = await wallet.holder.call('presentCredentials', { json });
      expect(presented.status, JSON.stringify(presented.body)).to.equal(200);
      expect((await vp.info(created)).status).to.equal('SUCCESSFUL');
    });

  it('createVerificationSession 400: another entity, another key, no signature, an encrypted response, an algorithm of logins', async () => {
    const own = { clientId: `openid_federation:${server.url}`, signed_request: true };
    const { key } = await certifiedKey();
    const cases: [Json, string, Json?][] = [
      [{ ...own, clientId: 'openid_federation:https://other.example' }, '/body/core_flow/clientId'],
      [{ ...own, key }, '/body/core_flow/clientId'],
      [{ ...own, signed_request: false }, '/body/core_flow/signed_request'],
      [{ ...own, encrypted_response: true }, '/body/core_flow/encrypted_response'],
      [
        own,
        '/body/openid/id_token_signed_response_alg',
        { openid: { ...LOGIN, id_token_signed_response_alg: 'ES256' } },
      ],
    ];
    for (const [core, path, more] of cases) {
      const { status, body } = await server.call('createVerificationSession', { json: crossDevice(core, more) });
      expect([status, body.details?.[0].path], JSON.stringify(body)).to.deep.equal([400, path]);
    }
  });
});

describe('getVerifierEntity without a federation', () => {
  const server = useServer();

  it('404', async () => {
    expect((await server.call('getVerifierEntity')).status).to.equal(404);
  });
});
