import { expect } from 'chai';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { crossDevice, LOGIN, Openid4vp, type ReadRequest } from '../../actors/openid4vp.ts';
import { keyParty, type Party } from '../../actors/party.ts';
import { type EnterpriseFixture, startEnterprise } from '../../actors/tenant.ts';
import { canary } from '../../support/secrets/secret-places.ts';
import { WrittenRecords } from '../../support/stores/written-records.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

describe('session logins', () => {
  // biome-ignore lint/suspicious/noExplicitAny: setups and sessions are read in any member
  type Json = Record<string, any>;

  const SHOP = 'acme.t1.verifier2';
  const withLogin = (core: Json = {}, change: Json = {}, more: Json = {}): Json =>
    crossDevice(core, { openid: { ...LOGIN, ...change }, ...more });

  const records = new WrittenRecords();
  let world: EnterpriseFixture;
  const verifiers: Record<string, Openid4vp> = {};
  before(async () => {
    world = await startEnterprise(
      { verifier: { presentedData: 'deleteOnHandover' } },
      { wrapStore: (store) => records.wrap(store) },
    );
    await world.post('createService', SHOP, { type: 'verifier2', presentedData: 'deleteOnHandover' });
    verifiers.open = await Openid4vp.with(world.server);
    verifiers.tenant = await Openid4vp.with(world.server, { target: SHOP, token: world.root });
  });
  after(() => world.close());

  const at = (where: string): Openid4vp => verifiers[where] as Openid4vp;

  /** A session that asks for a login, and its request. */
  async function asked(vp: Openid4vp, setup: Json = withLogin()): Promise<{ created: Json; request: ReadRequest }> {
    const created = await vp.create(setup);
    return { created, request: await vp.request(created) };
  }

  describe('createVerificationSession', () => {
    it('200: the request asks for the login, and its metadata say which ID tokens are accepted', async () => {
      const { request } = await asked(at('open'), withLogin({}, { id_token_signed_response_alg: 'EdDSA' }));
      expect(request.parameters).to.include({
        response_type: 'vp_token id_token',
        scope: 'openid',
        id_token_type: 'subject_signed',
      });
      const { subject_syntax_types_supported: types, ...metadata } = request.parameters.client_metadata;
      expect(types).to.include.members(['urn:ietf:params:oauth:jwk-thumbprint', 'did:key']);
      expect(metadata).to.include.keys('vp_formats_supported').and.include({ id_token_signed_response_alg: 'EdDSA' });
    });

    it('200: the order of the response type and the name of the type of ID token are free', async () => {
      const change = { responseType: 'id_token vp_token', id_token_type: 'subject_signed_id_token' };
      const { request } = await asked(at('open'), withLogin({}, change));
      const { response_type, id_token_type } = request.parameters;
      expect([response_type, id_token_type]).to.deep.equal(['vp_token id_token', 'subject_signed_id_token']);
    });

    it('200: without a login the request has none of it', async () => {
      const { request } = await asked(at('open'), crossDevice({}, { openid: { responseType: 'vp_token' } }));
      expect(request.parameters)
        .to.include({ response_type: 'vp_token' })
        .and.not.have.any.keys('scope', 'id_token_type');
      expect(request.parameters.client_metadata).to.have.all.keys('vp_formats_supported');
    });

    const page = { flow_type: 'dc_api_openid4vp', expectedOrigins: ['https://shop.example.org'] };
    const sameDevice = {
      flow_type: 'same_device',
      redirects: { success_redirect_uri: 'https://shop.example.org/done' },
    };
    const CASES: [string, Json, string][] = [
      ['another response type', withLogin({}, { responseType: 'id_token' }), '/body/openid/responseType'],
      ['no scope', withLogin({}, { scope: undefined }), '/body/openid/scope'],
      ['a scope without openid', withLogin({}, { scope: 'openids profile' }), '/body/openid/scope'],
      ['no type of ID token', withLogin({}, { id_token_type: undefined }), '/body/openid/id_token_type'],
      ['an ID token of others', withLogin({}, { id_token_type: 'attester_signed' }), '/body/openid/id_token_type'],
      [
        'an unknown algorithm',
        withLogin({}, { id_token_signed_response_alg: 'HS256' }),
        '/body/openid/id_token_signed_response_alg',
      ],
      ['a page', withLogin({}, {}, page), '/body/openid/responseType'],
      ['one device', withLogin({}, {}, sameDevice), '/body/openid/responseType'],
      ['HAIP', withLogin({}, {}, { haip: true }), '/body/openid/responseType'],
      ['a scope without the response type', withLogin({}, { responseType: undefined }), '/body/openid/scope'],
      [
        'a type of ID token without the response type',
        crossDevice({}, { openid: { responseType: 'vp_token', id_token_type: 'subject_signed' } }),
        '/body/openid/id_token_type',
      ],
      [
        'an algorithm without the response type',
        crossDevice({}, { openid: { id_token_signed_response_alg: 'ES256' } }),
        '/body/openid/id_token_signed_response_alg',
      ],
      [
        'an own algorithm in the metadata',
        withLogin({ client_metadata: { id_token_signed_response_alg: 'ES256' } }),
        '/body/core_flow/client_metadata/id_token_signed_response_alg',
      ],
      [
        'own subjects in the metadata',
        withLogin({ client_metadata: { subject_syntax_types_supported: [] } }),
        '/body/core_flow/client_metadata/subject_syntax_types_supported',
      ],
    ];
    for (const [title, json, path] of CASES)
      it(`400: a login with ${title}`, async () => {
        const { status, body } = await at('open').call('createVerificationSession', { json });
        expect([status, body.details?.[0].path], JSON.stringify(body)).to.deep.equal([400, path]);
      });
  });

  describe('postAuthorizationRequest', () => {
    it('400: a wallet that lists response types or algorithms without those of the login', async () => {
      const { key, x5c, sanDns: clientId } = await certifiedKey();
      const core = { signed_request: true, clientId, key, x5c };
      const { created, request } = await asked(at('open'), withLogin(core, { id_token_signed_response_alg: 'ES256' }));
      const post = async (metadata: Json) => {
        const form = { wallet_metadata: JSON.stringify(metadata) };
        const { requestId } = request;
        return (await at('open').call('postAuthorizationRequest', { path: { requestId }, form })).status;
      };
      expect(created.sessionId).to.be.a('string');
      expect(await post({ response_types_supported: ['vp_token', 'id_token vp_token'] })).to.equal(200);
      expect(await post({ response_types_supported: ['vp_token'] })).to.equal(400);
      expect(await post({ id_token_signing_alg_values_supported: ['EdDSA', 'ES256'] })).to.equal(200);
      expect(await post({ id_token_signing_alg_values_supported: ['EdDSA'] })).to.equal(400);
    });
  });

  describe('submitAuthorizationResponse', () => {
    for (const where of ['open', 'tenant'])
      for (const isEncrypted of [false, true])
        it(`200: a login at the verifier ${where}${isEncrypted ? ', encrypted' : ''}: shown once, then deleted`, async () => {
          const vp = at(where);
          const { created, request } = await asked(vp, withLogin({ encrypted_response: isEncrypted }));
          const name = canary();
          const id_token = await vp.idToken(request, { name });
          const answer = await vp.respond(request, { ...(await vp.response(request)), id_token });
          expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
          const session = await vp.info(created);
          expect(session.status, JSON.stringify(session)).to.equal('SUCCESSFUL');
          const { subject, claims } = session.presented_id_token;
          expect([subject, claims.sub, claims.name]).to.deep.equal([vp.holder.did, vp.holder.did, name]);
          const later = await vp.info(created);
          expect(later).to.include.keys('handoverDate').and.not.include.keys('presented_id_token');
          expect(JSON.stringify(later)).to.not.include(name).and.not.include(vp.holder.did);
          const { settings, clock } = world.server;
          expect((await records.opened(settings, clock.now)).join('\n'))
            .to.include(created.sessionId)
            .and.not.include(name);
        });

    it('200: the thumbprint of a key logs in too', async () => {
      const vp = at('open');
      const { created, request } = await asked(vp);
      const { privateKey, publicKey } = await generateKeyPair('ES256');
      const sub_jwk = await exportJWK(publicKey);
      const sub = `urn:ietf:params:oauth:jwk-thumbprint:sha-256:${await calculateJwkThumbprint(sub_jwk)}`;
      const { nonce, client_id: aud } = request.parameters;
      const iat = Math.floor(world.server.clock.now() / 1000);
      const token = new SignJWT({ iss: sub, sub, sub_jwk, nonce, aud, iat, exp: iat + 60 });
      const id_token = await token.setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
      await vp.respond(request, { ...(await vp.response(request)), id_token });
      expect((await vp.info(created)).presented_id_token.subject).to.equal(sub);
    });

    it('200: an ID token that was not asked for is ignored', async () => {
      const vp = at('open');
      const { created, request } = await asked(vp, crossDevice());
      const id_token = await vp.idToken(request, { nonce: 'wrong' });
      expect((await vp.respond(request, { ...(await vp.response(request)), id_token })).status).to.equal(200);
      expect(await vp.info(created))
        .to.include({ status: 'SUCCESSFUL' })
        .and.not.include.keys('presented_id_token');
    });

    for (const [title, id_token] of [
      ['no ID token', undefined],
      ['one that is no JWT', 'e30.e30'],
    ] as const)
      it(`400: ${title}; the session can be answered again`, async () => {
        const vp = at('open');
        for (const encrypted_response of [false, true]) {
          const { created, request } = await asked(vp, withLogin({ encrypted_response }));
          const response = await vp.response(request);
          const { status, body } = await vp.respond(request, { ...response, ...(id_token && { id_token }) });
          expect([status, body.error], JSON.stringify(body)).to.deep.equal([400, 'invalid_request']);
          expect(body.error_description).to.include('id_token');
          const again = { ...response, id_token: await vp.idToken(request) };
          expect((await vp.respond(request, again)).status).to.equal(200);
          expect((await vp.info(created)).status).to.equal('SUCCESSFUL');
        }
      });

    const now = () => Math.floor(world.server.clock.now() / 1000);
    const WRONG: [string, (other: Party) => { claims?: Json; header?: Json; asked?: Json }, string][] = [
      ['the typ of a key binding', () => ({ header: { typ: 'kb+jwt' } }), 'wrong-type'],
      ['another iss', ({ did }) => ({ claims: { iss: did } }), 'wrong-subject'],
      ['another sub', ({ did }) => ({ claims: { sub: did } }), 'wrong-subject'],
      ['another subject than its kid', ({ did }) => ({ claims: { iss: did, sub: did } }), 'signer-unknown'],
      ['another kid than its subject', ({ kid }) => ({ header: { kid } }), 'signer-unknown'],
      [
        'another subject than its key',
        ({ did, kid }) => ({ claims: { iss: did, sub: did }, header: { kid } }),
        'signature-invalid',
      ],
      ['another audience', () => ({ claims: { aud: 'https://other.example' } }), 'wrong-audience'],
      ['another nonce', () => ({ claims: { nonce: 'other' } }), 'wrong-nonce'],
      ['an iat of long ago', () => ({ claims: { iat: now() - 301 } }), 'not-signed-now'],
      ['an iat to come', () => ({ claims: { iat: now() + 120 } }), 'not-signed-now'],
      ['an exp that is over', () => ({ claims: { exp: now() - 61 } }), 'not-signed-now'],
      ['another algorithm', () => ({ asked: { id_token_signed_response_alg: 'ES256' } }), 'algorithm-not-allowed'],
    ];
    for (const [title, wrong, code] of WRONG)
      it(`400: an ID token with ${title}; the session has failed, and shows no login`, async () => {
        const vp = at('open');
        const { claims, header, asked: change } = wrong(await keyParty());
        const { created, request } = await asked(vp, withLogin({}, change));
        const id_token = await vp.idToken(request, claims, header);
        const { status, body } = await vp.respond(request, { ...(await vp.response(request)), id_token });
        expect([status, body.error]).to.deep.equal([400, 'invalid_request']);
        const session = await vp.info(created);
        expect(session).to.include({ status: 'FAILED', attempted: true }).and.not.include.keys('presented_id_token');
        expect(session.failure).to.deep.equal({ type: 'id_token_validation', reason: session.statusReason, code });
        expect(body.error_description).to.equal(session.statusReason);
      });
  });

  describe('streamVerificationSessionEvents', () => {
    it('200: a wrong ID token fails the validation', async () => {
      for (const where of ['open', 'tenant']) {
        const vp = at(where);
        const { created, request } = await asked(vp);
        const id_token = await vp.idToken(request, { nonce: 'other' });
        await vp.respond(request, { ...(await vp.response(request)), id_token });
        expect((await vp.events(created)).slice(-3)).to.deep.equal([
          'parsed_presentation_available',
          'presentation_validation_available',
          'presentation_validation_failed',
        ]);
      }
    });
  });
});
