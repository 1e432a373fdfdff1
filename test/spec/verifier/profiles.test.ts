import { expect } from 'chai';
import { statusEntry } from '../../../demo/actors/status-list.ts';
import { jwkParty } from '../../actors/party.ts';
import { DEGREE_REQUEST, VerificationFixture } from '../../actors/verification.ts';
import { decodeJwt, readRequest } from '../../actors/wallet.ts';
import { listClaims, listHost } from '../../support/status/status-lists.ts';

const namesOf = (params: URLSearchParams): string[] => [...params.keys()];

describe('startVerification: profiles', () => {
  const on = new VerificationFixture();

  async function linkOf(headers: Record<string, string>, json: object = DEGREE_REQUEST): Promise<URLSearchParams> {
    const { status, body } = await on.server.call('startVerification', { json, headers });
    expect(status, JSON.stringify(body)).to.equal(200);
    return readRequest(body).params;
  }

  it('200: HAIP has the definition in the URL instead of its address', async () => {
    for (const [name, value] of [
      ['openId4VPProfile', 'HAIP'],
      ['authorizeBaseUrl', 'haip://authorize'],
    ] as const) {
      const params = await linkOf({ [name]: value });
      expect(namesOf(params)).to.deep.equal([
        ...['response_type', 'client_id', 'response_mode', 'state', 'presentation_definition'],
        ...['client_id_scheme', 'client_metadata', 'nonce', 'response_uri'],
      ]);
      const { body } = await on.server.call('getPresentationDefinition', {
        path: { state: params.get('state') ?? '' },
      });
      expect(JSON.parse(params.get('presentation_definition') ?? '')).to.deep.equal(body);
    }
  });

  it('200: on request every link that refers to the definition has it by value', async () => {
    for (const openId4VPProfile of ['DEFAULT', 'EBSIV3']) {
      const refers = namesOf(await linkOf({ openId4VPProfile, presentationDefinitionByValue: 'false' }));
      const params = await linkOf({ openId4VPProfile, presentationDefinitionByValue: 'true' });
      const expected = refers.map((name) =>
        name === 'presentation_definition_uri' ? 'presentation_definition' : name,
      );
      expect(namesOf(params)).to.deep.equal(expected).and.to.include('presentation_definition');
      const path = { state: params.get('state') ?? '' };
      const { body } = await on.server.call('getPresentationDefinition', { path });
      expect(JSON.parse(params.get('presentation_definition') ?? '')).to.deep.equal(body);
    }
  });

  it('400: another presentationDefinitionByValue than true and false', async () => {
    const headers = { presentationDefinitionByValue: 'yes' };
    const { status, body } = await on.server.call('startVerification', { json: DEGREE_REQUEST, headers });
    expect([status, body.details[0].path]).to.deep.equal([400, '/header/presentationdefinitionbyvalue']);
  });

  it('200: EBSIV3 refers to a signed request, whose key is at the URL that is the client_id', async () => {
    const params = await linkOf({ openId4VPProfile: 'EBSIV3' });
    const { url } = on.server;
    const state = params.get('state') ?? '';
    expect(Object.fromEntries(params)).to.deep.equal({
      client_id: url,
      response_type: 'vp_token',
      response_mode: 'direct_post',
      scope: 'openid',
      state,
      redirect_uri: `${url}/openid4vc/verify/${state}`,
      presentation_definition_uri: `${url}/openid4vc/pd/${state}`,
      request_uri: `${url}/openid4vc/request/${state}`,
    });
    const { claims, header } = decodeJwt((await on.server.call('getRequestObject', { path: { state } })).body);
    expect(header).to.include({ typ: 'oauth-authz-req+jwt', alg: 'ES256' }).and.not.to.have.property('x5c');
    expect(claims).to.include({ iss: url, client_id: url, scope: 'openid', state, response_type: 'vp_token' });
    expect(claims).to.include.all.keys(
      'presentation_definition',
      'presentation_definition_uri',
      'redirect_uri',
      'nonce',
    );
    expect(claims).not.to.have.property('response_uri');
  });

  it('200: direct_post.jwt gives each session a key of its own for the response', async () => {
    const keys = await Promise.all(
      ['DEFAULT', 'HAIP'].map(async (openId4VPProfile) => {
        const params = await linkOf({ openId4VPProfile, responseMode: 'direct_post.jwt' });
        expect(params.get('response_mode')).to.equal('direct_post.jwt');
        const metadata = JSON.parse(params.get('client_metadata') ?? '');
        expect(metadata).to.include({
          authorization_encrypted_response_alg: 'ECDH-ES',
          authorization_encrypted_response_enc: 'A256GCM',
        });
        const [key, ...more] = metadata.jwks.keys;
        expect(more).to.deep.equal([]);
        expect(key).to.include({ kty: 'EC', crv: 'P-256', use: 'enc', alg: 'ECDH-ES' }).and.not.to.have.property('d');
        return key.kid;
      }),
    );
    expect(new Set(keys).size).to.equal(2);
    expect((await linkOf({ responseMode: 'direct_post_jwt' })).get('response_mode')).to.equal('direct_post.jwt');
  });

  it('200: every URL has the state', async () => {
    for (const openId4VPProfile of ['DEFAULT', 'HAIP', 'EBSIV3'])
      expect((await linkOf({ openId4VPProfile, stateId: `mine-${openId4VPProfile}` })).get('state')).to.equal(
        `mine-${openId4VPProfile}`,
      );
  });
});

describe('getRequestObject', () => {
  const on = new VerificationFixture();
  const get = (state: string) => on.server.call('getRequestObject', { path: { state } });
  const ask = (headers: Record<string, string> = {}) =>
    on.server
      .call('startVerification', { json: DEGREE_REQUEST, headers: { openId4VPProfile: 'EBSIV3', ...headers } })
      .then(({ body }) => readRequest(body));

  it('200: signs the request anew each time, with a key of the key set, until the session ends', async () => {
    const { state } = await ask({ sessionTtl: '60' });
    const first = await get(state);
    expect(first.status).to.equal(200);
    expect(first.headers.get('content-type')).to.equal('application/oauth-authz-req+jwt');
    expect(first.headers.get('cache-control')).to.equal('no-store');
    on.server.clock.advance(2000);
    const [before, after] = [decodeJwt(first.body), decodeJwt((await get(state)).body)];
    expect(after.claims.iat - before.claims.iat).to.equal(2);
    expect(after.claims.exp)
      .to.equal(before.claims.exp)
      .and.to.equal(before.claims.iat + 60);
    expect(before.claims.aud).to.equal('https://self-issued.me/v2');
    const { keys } = (await on.server.call('getVerifierJwks')).body;
    const key = keys.find(({ kid }: { kid: string }) => kid === before.header.kid);
    expect(before.verifies(key)).to.equal(true);
    expect(key).not.to.have.property('d');
  });

  it('404: knows no unknown, expired or answered session, and none whose profile has no request object', async () => {
    expect((await get('unknown')).status).to.equal(404);
    const { state } = await ask({ sessionTtl: '10' });
    on.server.clock.advance(10_001);
    expect((await get(state)).status).to.equal(404);
    expect((await get((await ask({ openId4VPProfile: 'DEFAULT' })).state)).status).to.equal(404);
    const answered = await on.ask(DEGREE_REQUEST, { openId4VPProfile: 'EBSIV3' });
    expect((await on.present(answered)).status).to.equal(200);
    expect((await get(answered.state)).status).to.equal(404);
  });

  it('400: refuses a path that is not properly encoded', async () => {
    expect((await on.server.fetch('/openid4vc/request/%zz')).status).to.equal(400);
  });
});

describe('getVerifierConfiguration', () => {
  const on = new VerificationFixture();

  it('200: names the authorization endpoint and the key set', async () => {
    const { status, body } = await on.server.call('getVerifierConfiguration');
    const { url } = on.server;
    expect(status).to.equal(200);
    expect(body).to.include({ issuer: url, authorization_endpoint: `${url}/authorize`, jwks_uri: `${url}/jwks` });
  });

  it('400: refuses a query that is not properly encoded', async () => {
    expect((await on.server.fetch('/.well-known/openid-configuration?x=%zz')).status).to.equal(400);
  });
});

describe('getVerifierJwks', () => {
  const on = new VerificationFixture();

  it('200: lists public keys with their kid', async () => {
    const { status, body } = await on.server.call('getVerifierJwks');
    expect([status, body.keys.length]).to.deep.equal([200, 1]);
    expect(body.keys[0]).to.have.all.keys('kty', 'crv', 'x', 'y', 'kid');
  });

  it('400: refuses a query that is not properly encoded', async () => {
    expect((await on.server.fetch('/jwks?x=%zz')).status).to.equal(400);
  });
});

describe('authorizeWallet', () => {
  const on = new VerificationFixture();
  const scope = 'openid ver_test:vp_token';
  const authorize = (query: Record<string, string>) => on.server.call('authorizeWallet', { query });

  async function start(query: Record<string, string> = {}) {
    const { status, headers } = await authorize({ scope, ...query });
    expect(status).to.equal(302);
    const url = headers.get('location') ?? '';
    expect(url).to.match(/^openid:\/\/\?client_id=/);
    return on.resolve(readRequest(url));
  }

  const attestation = (claims: Record<string, unknown> = {}, vc: Record<string, unknown> = {}) =>
    on.credential({ type: 'VerifiableAttestation', claims, vc });

  async function answer(query: Record<string, string>, credentials: unknown[]) {
    const holder = await jwkParty('ES256');
    const { status, headers } = await on.present(await start(query), { credentials, holder });
    const url = headers.get('location') ?? '';
    expect([status, url.startsWith('openid://?')], JSON.stringify(status)).to.deep.equal([302, true]);
    return Object.fromEntries(new URLSearchParams(url.slice(url.indexOf('?'))));
  }

  it('302: to the wallet with a request for three attestations, and back with a code and the state', async () => {
    const request = await start();
    const { input_descriptors: descriptors } = await on.definition(request);
    expect(descriptors).to.have.length(3);
    const credentials = await Promise.all([attestation(), attestation(), attestation()]);
    const { code, ...more } = await answer({ state: 'st ate', client_id: 'ignored' }, credentials);
    expect(code).to.match(/^[0-9a-f-]{36}$/);
    expect(more).to.deep.equal({ state: 'st ate' });
    expect(await answer({}, credentials)).to.have.all.keys('code');
  });

  it('302: back with an error that names the credential that has expired or is not yet valid', async () => {
    const now = Math.floor(on.server.clock.now() / 1000);
    const late = await attestation({ exp: now - 3600 });
    const early = await attestation({ nbf: now + 3600 });
    for (const [bad, reason] of [
      [late, 'attestation-2 is expired'],
      [early, 'attestation-2 is not yet valid'],
    ]) {
      const got = await answer({ state: 's' }, [await attestation(), bad, await attestation()]);
      expect(got).to.deep.equal({ error: 'invalid_request', error_description: reason, state: 's' });
    }
    const { error_description: why } = await answer({}, [await attestation()]);
    expect(why).to.equal('The presentation was not accepted');
  });

  it('302: back with an error that names the credential that is revoked', async () => {
    const host = await listHost();
    try {
      const list = host.publish(await on.issuer.sign(listClaims({ did: on.issuer.did, set: [7] }), { typ: undefined }));
      const withIndex = (index: number) => attestation({}, { credentialStatus: statusEntry(list, index) });
      const valid = [await withIndex(8), await attestation()];
      expect(await answer({}, [...valid, await withIndex(9)])).to.have.all.keys('code');
      const got = await answer({ state: 's' }, [...valid, await withIndex(7)]);
      expect(got).to.deep.equal({
        error: 'invalid_request',
        error_description: 'attestation-3 is revoked',
        state: 's',
      });
    } finally {
      await host.close();
    }
  });

  it('400: refuses every other scope', async () => {
    for (const other of ['openid', 'ver_test:vp_token', 'openid ver_test:id_token', 'toString'])
      expect((await authorize({ scope: other })).status, other).to.equal(400);
    expect((await authorize({})).status).to.equal(400);
  });
});
