import { expect } from 'chai';
import {
  type CryptoKey,
  compactDecrypt,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importX509,
  jwtVerify,
  SignJWT,
} from 'jose';
import { crossDevice, Openid4vp, readLink } from '../../actors/openid4vp.ts';
import { useServer } from '../../support/servers/server.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

// biome-ignore lint/suspicious/noExplicitAny: setups are changed in any member
type Json = Record<string, any>;

describe('getAuthorizationRequest', () => {
  const server = useServer();
  let vp: Openid4vp;
  let certified: Awaited<ReturnType<typeof certifiedKey>>;
  before(async () => {
    vp = await Openid4vp.with(server);
    certified = await certifiedKey();
  });
  const signed = (core: Json): Json => {
    const { key, x5c } = certified;
    return crossDevice({ signed_request: true, key, x5c, ...core });
  };
  const idOf = (created: Json): string => readLink(created.bootstrapAuthorizationRequestUrl).requestId;

  for (const prefix of ['sanDns', 'hash'] as const)
    it(`200: a request with ${prefix === 'hash' ? 'x509_hash:' : 'x509_san_dns:'} verifies with its certificate, sent without the anchor`, async () => {
      const { withRoot: x5c, [prefix]: clientId } = certified;
      const { body, headers } = await vp.fetch(idOf(await vp.create(signed({ clientId, x5c }))));
      expect(headers.get('content-type')).to.equal('application/oauth-authz-req+jwt');
      expect(headers.get('cache-control')).to.equal('no-store');
      const header = decodeProtectedHeader(body);
      expect(header).to.have.all.keys('alg', 'typ', 'x5c');
      expect(header.x5c).to.have.length(1);
      const key = await importX509(
        `-----BEGIN CERTIFICATE-----\n${header.x5c?.[0]}\n-----END CERTIFICATE-----`,
        'ES256',
      );
      const { payload } = await jwtVerify(body, key, {
        typ: 'oauth-authz-req+jwt',
        audience: 'https://self-issued.me/v2',
        currentDate: new Date(server.clock.now()),
      });
      expect(payload).to.include({ client_id: clientId, iss: clientId, response_type: 'vp_token' });
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).to.equal(600);
    });

  it('200: a DID that lists the key, a verifier that wallets know, and an attestation about the key', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    const own = { key: { type: 'jwk', jwk: await exportJWK(privateKey) }, x5c: undefined };
    const did = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`;
    const headerOf = async (core: Json) =>
      decodeProtectedHeader((await vp.fetch(idOf(await vp.create(signed({ ...own, ...core }))))).body);
    expect(await headerOf({ clientId: `decentralized_identifier:${did}` })).to.include({ kid: `${did}#0` });
    expect(await headerOf({ clientId: 'shop-7' })).to.have.all.keys('alg', 'typ', 'kid');
    const attestation = (claims: Json = {}, typ = 'verifier-attestation+jwt') =>
      new SignJWT({
        iss: 'https://trust.example',
        sub: 'shop',
        cnf: { jwk },
        exp: server.clock.now() / 1000 + 60,
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', typ })
        .sign(privateKey);
    const clientId = 'verifier_attestation:shop';
    const verifier_attestation = await attestation();
    expect(await headerOf({ clientId, verifier_attestation })).to.include({ jwt: verifier_attestation });
    const other = await exportJWK((await generateKeyPair('ES256')).publicKey);
    for (const wrong of [
      await attestation({ sub: 'other' }),
      await attestation({ exp: 1 }),
      await attestation({ iss: undefined }),
      await attestation({ cnf: { jwk: other } }),
      await attestation({}, 'JWT'),
      'a.b.c',
    ]) {
      const json = signed({ ...own, clientId, verifier_attestation: wrong });
      const { status, body } = await server.call('createVerificationSession', { json });
      expect([status, body.details[0].path]).to.deep.equal([400, '/body/core_flow/verifier_attestation']);
    }
    const foreign = signed({ clientId: `decentralized_identifier:${did}`, x5c: undefined });
    const { status, body } = await server.call('createVerificationSession', { json: foreign });
    expect([status, body.details[0].path]).to.deep.equal([400, '/body/core_flow/clientId']);
  });

  it('200: as often as wallets like until the response, each time signed anew; one that is not signed is JSON', async () => {
    const created = await vp.create(signed({ clientId: certified.hash }));
    const first = (await vp.fetch(idOf(created))).body;
    server.clock.advance(2000);
    const second = (await vp.fetch(idOf(created))).body;
    expect(decodeJwt(second).iat).to.equal((decodeJwt(first).iat ?? 0) + 2);
    expect(decodeJwt(second).nonce).to.equal(decodeJwt(first).nonce);
    expect((await vp.info(created)).status).to.equal('IN_USE');
    const plain = await vp.create();
    expect((await vp.info(plain)).status).to.equal('UNUSED');
    const { body, headers } = await vp.fetch(idOf(plain));
    expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(body).to.deep.equal(readLink(plain.fullAuthorizationRequestUrl).parameters);
  });

  it('200: one that is not signed is a request object without a signature for wallets that ask for request objects', async () => {
    const created = await vp.create();
    const OBJECT = 'application/oauth-authz-req+jwt';
    const path = { requestId: idOf(created) };
    const ask = (accept: string, operation = 'getAuthorizationRequest') =>
      server.call(operation, {
        path,
        headers: { accept },
        ...(operation.startsWith('post') && { form: { wallet_nonce: 'w' } }),
      });
    const { parameters } = readLink(created.fullAuthorizationRequestUrl);
    for (const accept of [
      OBJECT,
      `${OBJECT}, application/jwt;q=0.9, text/plain`,
      `application/json;q=0.5, ${OBJECT}`,
    ]) {
      const { headers, body } = await ask(accept);
      expect([headers.get('content-type'), headers.get('vary')]).to.deep.equal([OBJECT, 'Accept']);
      expect(decodeProtectedHeader(body)).to.deep.equal({ alg: 'none', typ: 'oauth-authz-req+jwt' });
      expect(body).to.match(/\.$/);
      expect(decodeJwt(body)).to.deep.include({ ...parameters, aud: 'https://self-issued.me/v2' });
    }
    expect(decodeJwt((await ask(OBJECT, 'postAuthorizationRequest')).body)).to.include({ wallet_nonce: 'w' });
    for (const accept of ['*/*', 'application/json', `${OBJECT};q=0.5, application/json`, 'text/html, */*;q=0.8'])
      expect((await ask(accept)).body).to.deep.equal(parameters);
    const signedSession = await vp.create(signed({ clientId: certified.hash }));
    const { headers } = await server.call('getAuthorizationRequest', {
      path: { requestId: idOf(signedSession) },
      headers: { accept: 'application/json' },
    });
    expect(headers.get('content-type')).to.equal(OBJECT);
  });

  it('200: a signed request for a page names its origins', async () => {
    const { key, x5c, hash: clientId } = certified;
    const core = { ...crossDevice().core_flow, signed_request: true, key, x5c, clientId };
    const expectedOrigins = ['https://shop.example.org'];
    const created = await vp.create({ flow_type: 'dc_api_openid4vp', core_flow: core, expectedOrigins });
    expect(created.data.digital.requests[0].protocol).to.equal('openid4vp-v1-signed');
    const payload = decodeJwt(created.data.digital.requests[0].data.request);
    expect(payload).to.deep.include({
      client_id: clientId,
      expected_origins: expectedOrigins,
      response_mode: 'dc_api',
    });
    expect(payload).to.not.have.any.keys('state', 'response_uri');
  });

  it('200: a page gets its request by the id of the session too', async () => {
    const { core_flow } = crossDevice();
    const more = { flow_type: 'dc_api_openid4vp', expectedOrigins: ['https://shop.example.org'] };
    const created = await vp.create({ ...more, core_flow });
    const { status, body } = await vp.fetch(created.sessionId);
    expect([status, body]).to.deep.equal([200, created.data]);
    expect((await vp.info(created)).status).to.equal('IN_USE');
  });

  it('404: an unknown id, that of a session for a wallet, and one whose request has ended', async () => {
    const created = await vp.create();
    const { requestId } = readLink(created.bootstrapAuthorizationRequestUrl);
    expect((await vp.fetch('unknown')).status).to.equal(404);
    expect((await vp.fetch(created.sessionId)).status).to.equal(404);
    expect((await server.call('getVerificationSession', { path: { sessionId: requestId } })).status).to.equal(404);
    server.clock.advance(600_000);
    expect((await vp.fetch(requestId)).status).to.equal(404);
    expect((await vp.info(created)).status).to.equal('EXPIRED');
  });

  it('400: an id that is longer than any', async () => {
    const { status, body } = await vp.fetch('x'.repeat(257));
    expect([status, body.error]).to.deep.equal([400, 'invalid_request']);
  });

  it('409: after the response, by GET and by POST', async () => {
    const created = await vp.create();
    const request = await vp.request(created);
    await vp.respond(request, await vp.response(request));
    const path = { requestId: request.requestId };
    expect((await vp.fetch(request.requestId)).status).to.equal(409);
    expect((await server.call('postAuthorizationRequest', { path, form: {} })).status).to.equal(409);
  });
});

describe('postAuthorizationRequest', () => {
  const server = useServer();
  let vp: Openid4vp;
  before(async () => {
    vp = await Openid4vp.with(server);
  });
  const post = (requestId: string, form: Record<string, string>) =>
    server.call('postAuthorizationRequest', { path: { requestId }, form });

  it('200: a signed request repeats the nonce of the wallet; one that is not signed is the same as by GET', async () => {
    const { key, x5c, hash: clientId } = await certifiedKey();
    const created = await vp.create(crossDevice({ signed_request: true, key, x5c, clientId }));
    const { requestId } = readLink(created.bootstrapAuthorizationRequestUrl);
    const form = { wallet_nonce: 'w-1', wallet_metadata: '{"vp_formats_supported":{}}' };
    const { body } = await post(requestId, form);
    expect(decodeJwt(body)).to.include({ wallet_nonce: 'w-1', client_id: clientId });
    expect(decodeJwt((await post(requestId, {})).body)).to.not.have.property('wallet_nonce');
    const plain = readLink((await vp.create()).fullAuthorizationRequestUrl);
    expect((await post(plain.requestId, { ...form, other: 'x' })).body).to.deep.equal(plain.parameters);
  });

  describe('with the metadata of the wallet', () => {
    let requestId: string;
    let privateKey: CryptoKey;
    let jwk: Json;
    before(async () => {
      const { key, x5c, hash: clientId } = await certifiedKey();
      const created = await vp.create(crossDevice({ signed_request: true, key, x5c, clientId }));
      ({ requestId } = readLink(created.bootstrapAuthorizationRequestUrl));
      const pair = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
      privateKey = pair.privateKey;
      jwk = { ...(await exportJWK(pair.publicKey)), kid: 'w' };
    });
    const metadata = (changes: Json = {}): Json => ({
      ...{ response_types_supported: ['vp_token'], response_modes_supported: ['direct_post'] },
      ...{ client_id_prefixes_supported: ['x509_hash'], request_object_signing_alg_values_supported: ['ES256'] },
      request_object_encryption_alg_values_supported: ['RSA-OAEP', 'ECDH-ES'],
      request_object_encryption_enc_values_supported: ['A128CBC-HS256', 'A256GCM'],
      jwks: { keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }, jwk] },
      ...changes,
    });
    const ask = (changes: Json = {}) =>
      post(requestId, { wallet_nonce: 'w-2', wallet_metadata: JSON.stringify(metadata(changes)) });

    it('200: the signed request is encrypted to the key of the wallet', async () => {
      const { status, headers, body } = await ask();
      expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/oauth-authz-req+jwt']);
      const { plaintext, protectedHeader } = await compactDecrypt(body, privateKey);
      expect(protectedHeader).to.include({ alg: 'ECDH-ES', enc: 'A256GCM', kid: 'w', cty: 'JWT' });
      const inner = new TextDecoder().decode(plaintext);
      expect(decodeProtectedHeader(inner).typ).to.equal('oauth-authz-req+jwt');
      expect(decodeJwt(inner)).to.include({ wallet_nonce: 'w-2', response_type: 'vp_token' });
    });

    it('200: is not encrypted without a key or a list of algorithms', async () => {
      for (const changes of [{ jwks: undefined }, { request_object_encryption_alg_values_supported: undefined }])
        expect(decodeJwt((await ask(changes)).body)).to.include({ wallet_nonce: 'w-2' });
    });

    it('400: what the wallet cannot do is named, and so is encryption that is not possible here', async () => {
      const [alg, enc] = ['alg', 'enc'].map((kind) => `request_object_encryption_${kind}_values_supported`);
      const cases: [string, unknown][] = [
        ['request_object_signing_alg_values_supported', ['EdDSA']],
        ['client_id_prefixes_supported', ['redirect_uri', 'pre-registered']],
        ['response_types_supported', ['code']],
        ['response_modes_supported', 'direct_post'],
        [alg ?? '', ['RSA-OAEP']],
        [enc ?? '', ['A128CBC-HS256']],
        [enc ?? '', undefined],
        ['jwks', { keys: [] }],
        ['jwks', { keys: [{ ...jwk, use: 'sig' }] }],
      ];
      for (const [name, value] of cases) {
        const { status, body } = await ask({ [name]: value });
        expect([status, body.error_description], name).to.match(new RegExp(`^400,wallet_metadata\\.${name}: `));
      }
      for (const key of [
        { ...jwk, crv: 'P-257' },
        { ...jwk, x: 'AAAA' },
        { ...jwk, d: 'AAAA' },
      ]) {
        const { status, body } = await ask({ jwks: { keys: [key] } });
        expect([status, body.error]).to.deep.equal([400, 'invalid_request']);
      }
      const characters = 'é'.repeat(8 * 1024);
      expect((await ask({ characters })).body.error_description).to.match(/at most 16384 bytes/);
    });
  });

  it('400: metadata that is no JSON object, a nonce that is too long; 404: an unknown request', async () => {
    const { requestId } = readLink((await vp.create()).bootstrapAuthorizationRequestUrl);
    for (const wrong of [{ wallet_metadata: '[]' }, { wallet_metadata: '{' }, { wallet_nonce: 'x'.repeat(513) }]) {
      const { status, body } = await post(requestId, wrong as unknown as Record<string, string>);
      expect([status, body.error]).to.deep.equal([400, 'invalid_request']);
    }
    expect((await post('unknown', {})).status).to.equal(404);
  });

  it('413 and 415: a body that is too large, or no form; the request can still be fetched', async () => {
    const { requestId } = readLink((await vp.create()).bootstrapAuthorizationRequestUrl);
    const send = (text: string, contentType: string) =>
      server.call('postAuthorizationRequest', { path: { requestId }, text, contentType });
    const statuses = [
      (await send(`other=${'x'.repeat(1024 * 1024)}`, 'application/x-www-form-urlencoded')).status,
      (await send('{}', 'application/json')).status,
      (await post(requestId, {})).status,
    ];
    expect(statuses).to.deep.equal([413, 415, 200]);
  });
});
