import { expect } from 'chai';
import { HttpPeer } from '../../actors/http-peer.ts';
import { crossDevice, DEGREE_QUERY, encrypted, idIn, Openid4vp, type ReadRequest } from '../../actors/openid4vp.ts';
import { useServer } from '../../support/servers/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: setups are changed in any member
type Json = Record<string, any>;

const [DEGREE] = DEGREE_QUERY.credentials;
const ORIGIN = 'https://shop.example.org';
const page = (core: Json = {}): Json => ({
  ...crossDevice(core),
  flow_type: 'dc_api_openid4vp',
  expectedOrigins: [ORIGIN, 'https://other.example.org'],
});
const SUCCESS = [
  'authorization_request_requested',
  'attempted_presentation',
  'parsed_presentation_available',
  'presentation_validation_available',
  'validated_credentials_available',
  'presentation_fulfils_dcql_query',
  'credential_policy_results_available',
];

describe('submitAuthorizationResponse', () => {
  const server = useServer();
  let vp: Openid4vp;
  before(async () => {
    vp = await Openid4vp.with(server);
  });

  /** A session whose request was fetched. */
  async function asked(setup?: Json): Promise<{ created: Json; request: ReadRequest }> {
    const created = await vp.create(setup);
    const request = await vp.request(created);
    await vp.fetch(request.requestId);
    return { created, request };
  }

  describe('success', () => {
    it('200: the presented credentials and the results by query; the events in their order', async () => {
      const { created, request } = await asked();
      const { status, body, headers } = await vp.respond(request, await vp.response(request));
      expect([status, body]).to.deep.equal([
        200,
        { status: 'received', message: 'Presentation received and is being processed.' },
      ]);
      expect(headers.get('cache-control')).to.equal('no-store');
      const session = await vp.info(created);
      expect(session).to.include({ status: 'SUCCESSFUL', attempted: true });
      expect(session).to.not.have.any.keys('failure', 'statusReason', 'bootstrapAuthorizationRequestUrl');
      const [credential] = session.presented_credentials.degree;
      expect(credential).to.include({
        format: 'jwt_vc_json',
        type: 'UniversityDegreeCredential',
        issuer: vp.issuer.did,
      });
      const { vp_policies: checks, vc_policies: lines, overallSuccess } = session.policy_results;
      expect(overallSuccess).to.equal(true);
      expect(Object.keys(checks.degree)).to.deep.equal(
        [
          'audience-check',
          'nonce-check',
          'envelope_signature',
          'holder-binding-check',
          'exp-check',
          'nbf-check',
          'transaction-data-hash-check',
        ].map((name) => `jwt_vc_json/${name}`),
      );
      expect(lines).to.have.length(1);
      expect(lines[0]).to.deep.include({ policy: { policy: 'signature' }, success: true, query_id: 'degree' });
      expect(await vp.events(created)).to.deep.equal(SUCCESS);
    });

    for (const enc of ['A128GCM', 'A256GCM'])
      it(`200: encrypted with ${enc}`, async () => {
        const { created, request } = await asked(crossDevice({ encrypted_response: true }));
        const response = await encrypted(request, await vp.response(request), { enc });
        expect((await vp.post(request, { response })).status).to.equal(200);
        expect((await vp.info(created)).status).to.equal('SUCCESSFUL');
      });

    it('200: from a page, in clear and encrypted, below data and below credential', async () => {
      for (const isEncrypted of [false, true])
        for (const place of ['data', 'credential']) {
          const created = await vp.create(page({ encrypted_response: isEncrypted }));
          const [{ data: parameters }] = created.data.digital.requests;
          const request = { parameters, requestId: idIn(created.responseUri) };
          const vp_token = { degree: [await vp.presentation(request, { audience: `origin:${ORIGIN}` })] };
          const data = isEncrypted ? { response: await encrypted(request, { vp_token }) } : { vp_token };
          const json =
            place === 'data'
              ? { data, ...(!isEncrypted && { origin: ORIGIN }) }
              : { credential: { data, protocol: 'openid4vp-v1-unsigned' } };
          // A page answers at the URL that it got, or at the id of its session.
          const path = { requestId: isEncrypted ? request.requestId : created.sessionId };
          const { status } = await server.call('submitAuthorizationResponse', { path, json });
          expect(status).to.equal(200);
          expect((await vp.info(created)).status).to.equal('SUCCESSFUL');
        }
    });

    it('200: policies of one query are run beside those of all, and shown apart', async () => {
      const policies = {
        vp_policies: { jwt_vc_json: ['jwt_vc_json/nonce-check'] },
        vc_policies: ['signature', 'expiration'],
        specific_vc_policies: { degree: [{ policy: 'allowed-issuer', allowed_issuer: vp.issuer.did }] },
      };
      const session = await vp.outcome(crossDevice({ policies }));
      expect(session.status).to.equal('SUCCESSFUL');
      const { vc_policies: all, specific_vc_policies: own } = session.policy_results;
      expect(all.map(({ policy }: Json) => policy.policy)).to.deep.equal(['signature', 'expiration']);
      expect(own.degree.map(({ policy }: Json) => policy.policy)).to.deep.equal(['allowed-issuer']);
    });
  });

  describe('what was presented is not as requested', () => {
    const failed = async (presented: Parameters<Openid4vp['response']>[1], setup?: Json) => {
      const { created, request } = await asked(setup);
      const { status, body } = await vp.respond(request, await vp.response(request, presented));
      const session = await vp.info(created);
      expect([status, body.error, session.status]).to.deep.equal([400, 'invalid_request', 'FAILED']);
      expect(session.policy_results?.overallSuccess ?? false).to.equal(false);
      return { body, session, created };
    };

    for (const [title, presented, check] of [
      ['another nonce', { claims: { nonce: 'other' } }, 'nonce-check'],
      ['no nonce', { claims: { nonce: undefined } }, 'nonce-check'],
      ['another audience', { audience: 'redirect_uri:https://elsewhere.example' }, 'audience-check'],
      ['an expired presentation', { claims: { exp: 1 } }, 'exp-check'],
      ['a presentation of the future', { claims: { nbf: 4_000_000_000 } }, 'nbf-check'],
    ] as const)
      it(`400: ${title}; the events end with presentation_validation_failed`, async () => {
        const { body, session, created } = await failed(presented);
        expect(body.error_description).to.equal(
          `Presentation validation failed. Failed VP policies: degree/jwt_vc_json/${check}`,
        );
        const { type, failed_policies } = session.failure;
        expect([type, failed_policies]).to.deep.equal(['presentation_validation', [`degree/jwt_vc_json/${check}`]]);
        expect(session.policy_results.vp_policies.degree[`jwt_vc_json/${check}`].success).to.equal(false);
        expect(await vp.events(created)).to.deep.equal([...SUCCESS.slice(0, 4), 'presentation_validation_failed']);
      });

    it('400: a signature of the holder that is wrong', async () => {
      const { created, request } = await asked();
      const token = await vp.presentation(request);
      const tampered = `${token.slice(0, -8)}${token.at(-8) === 'A' ? 'B' : 'A'}${token.slice(-7)}`;
      const { status } = await vp.respond(request, {
        vp_token: { degree: [tampered] },
        state: request.parameters.state,
      });
      const { failure } = await vp.info(created);
      expect([status, failure.failed_policies]).to.deep.equal([
        400,
        ['degree/jwt_vc_json/envelope_signature', 'degree/jwt_vc_json/holder-binding-check'],
      ]);
    });

    it('400: another type; the events end with dcql_fulfillment_check_failed', async () => {
      const { body, session, created } = await failed({ credential: await vp.credential({ type: 'Library' }) });
      expect(body.error_description).to.include('do not fulfil the DCQL query');
      expect(session.failure).to.deep.include({
        type: 'dcql_fulfillment',
        failure: { missing_query_ids: ['degree'], unsatisfied_sets: [], successfully_validated_query_ids: [] },
      });
      expect(await vp.events(created)).to.deep.equal([...SUCCESS.slice(0, 5), 'dcql_fulfillment_check_failed']);
    });

    it('400: a value that was not asked for', async () => {
      const claims = [{ path: ['credentialSubject', 'degree', 'type'], values: ['MasterDegree'] }];
      const { session } = await failed({}, crossDevice({ dcql_query: { credentials: [{ ...DEGREE, claims }] } }));
      expect(session.failure.type).to.equal('dcql_fulfillment');
    });

    it('400: a failed policy of a credential; the events are those of success', async () => {
      const policies = { vc_policies: [{ policy: 'allowed-issuer', args: 'did:web:other.example' }] };
      const { body, session, created } = await failed({}, crossDevice({ policies }));
      expect(body.error_description).to.equal(
        'Credential policy verification failed. Failed VC policies: degree/allowed-issuer',
      );
      expect(session.failure.type).to.equal('vc_policy_violations');
      expect(session.failure.violations[0]).to.include({ code: 'issuer-not-allowed', credential_index: 0 });
      expect(await vp.events(created)).to.deep.equal(SUCCESS);
    });

    it('400: a wrong signature of the issuer, also when no policy asks for it', async () => {
      const good = await vp.credential();
      const credential = `${good.slice(0, -8)}${good.at(-8) === 'A' ? 'B' : 'A'}${good.slice(-7)}`;
      for (const vc_policies of [['signature'], []]) {
        const { session } = await failed({ credential }, crossDevice({ policies: { vc_policies } }));
        expect(session.failure.violations.map(({ policy }: Json) => policy.policy)).to.deep.equal(['signature']);
      }
    });

    it('400: an expired credential, also when no policy asks for that', async () => {
      const credential = await vp.credential({ claims: { exp: 1 } });
      const { session } = await failed({ credential }, crossDevice({ policies: { vc_policies: [] } }));
      expect(session.failure.failed_policies).to.deep.equal(['degree/jwt_vc_json/exp-check']);
    });

    it('400: an algorithm that the request does not accept', async () => {
      const vp_formats_supported = { jwt_vc_json: { alg_values: ['ES384'] } };
      const { session } = await failed({}, crossDevice({ client_metadata: { vp_formats_supported } }));
      expect(session.failure.failed_policies).to.deep.equal(['degree/jwt_vc_json/algorithm-check']);
    });

    it('400: another page than the first expected one signs for itself', async () => {
      const created = await vp.create(page());
      const [{ data: parameters }] = created.data.digital.requests;
      const request = { parameters, requestId: idIn(created.responseUri) };
      const send = async (audience: string, origin?: string) => {
        const vp_token = { degree: [await vp.presentation(request, { audience })] };
        const json = { data: { vp_token }, ...(origin !== undefined && { origin }) };
        return server.call('submitAuthorizationResponse', { path: { requestId: request.requestId }, json });
      };
      expect((await send(`origin:${ORIGIN}`, 'https://evil.example')).status).to.equal(400);
      expect((await vp.info(created)).status).to.equal('UNUSED');
      expect((await send('origin:https://evil.example')).status).to.equal(400);
      expect((await vp.info(created)).failure.failed_policies).to.deep.equal(['degree/jwt_vc_json/audience-check']);
    });

    it('400: error_redirect_uri is where the wallet sends the user, without a code', async () => {
      const redirects = { success_redirect_uri: `${ORIGIN}/done`, error_redirect_uri: `${ORIGIN}/failed` };
      const { body } = await failed({ claims: { nonce: 'other' } }, crossDevice({}, { redirects }));
      expect(body.redirect_uri).to.equal(`${ORIGIN}/failed`);
    });
  });

  describe('an error of the wallet', () => {
    it('200: is acknowledged and ends the session', async () => {
      const { created, request } = await asked(crossDevice({ encrypted_response: true }));
      const error = { error: 'access_denied', error_description: 'No thanks', state: request.parameters.state };
      const { status, body } = await vp.respond(request, error);
      expect([status, body.status]).to.deep.equal([200, 'acknowledged']);
      const session = await vp.info(created);
      expect(session).to.include({
        status: 'FAILED',
        attempted: false,
        statusReason: 'Wallet returned OID4VP error: access_denied',
      });
      expect(session.failure).to.include({ type: 'wallet_error_response', error: 'access_denied' });
      expect(await vp.events(created)).to.deep.equal([SUCCESS[0], 'wallet_error_response_received']);
    });

    it('200: error_redirect_uri is where the wallet sends the user; 400: without the state', async () => {
      const redirects = { error_redirect_uri: `${ORIGIN}/failed` };
      const { created, request } = await asked(crossDevice({}, { redirects }));
      expect((await vp.respond(request, { error: 'access_denied' })).status).to.equal(400);
      expect((await vp.info(created)).status).to.equal('IN_USE');
      const { body } = await vp.respond(request, { error: 'access_denied', state: request.parameters.state });
      expect(body).to.deep.equal({ redirect_uri: `${ORIGIN}/failed` });
    });
  });

  describe('a response that cannot be read', () => {
    it('400: does not use the session up', async () => {
      const { created, request } = await asked();
      const { state } = request.parameters;
      const token = await vp.presentation(request);
      const wrong: Json[] = [
        { vp_token: { degree: [token] } },
        { vp_token: { degree: [token] }, state: `${state}x` },
        { state },
        { vp_token: 'x', state },
        { vp_token: '{"degree":', state },
        { vp_token: '{"degree":[],"degree":[]}', state },
        { vp_token: { degree: token }, state },
        { vp_token: { degree: [] }, state },
        { vp_token: {}, state },
        { vp_token: { other: [token] }, state },
        { vp_token: { degree: ['a.b.c'] }, state },
        { vp_token: { degree: Array(65).fill(token) }, state },
        { vp_token: { degree: [{ vp: 1 }] }, state },
        { response: 'x', state },
      ];
      for (const response of wrong) {
        const { status, body } = await vp.respond(request, response);
        expect([status, body.error], JSON.stringify(response).slice(0, 80)).to.deep.equal([400, 'invalid_request']);
      }
      expect((await vp.post(request, {})).status).to.equal(400);
      const path = { requestId: request.requestId };
      for (const json of [{}, { data: 1 }, { data: {} }, { credential: {} }, []])
        expect((await server.call('submitAuthorizationResponse', { path, json })).status).to.equal(400);
      expect(await vp.info(created)).to.include({ status: 'IN_USE', attempted: false });
      expect((await vp.respond(request, await vp.response(request))).status).to.equal(200);
    });

    it('400: one that should be encrypted, and one that is encrypted to another session', async () => {
      const { created, request } = await asked(crossDevice({ encrypted_response: true }));
      const other = (await asked(crossDevice({ encrypted_response: true }))).request;
      const response = await vp.response(request);
      const plain = { vp_token: JSON.stringify(response.vp_token), state: response.state };
      const forms = [
        plain,
        { response: 'a.b.c.d.e' },
        { response: await encrypted(other, response) },
        { response: await encrypted(request, { ...response, state: undefined }) },
        { response: await encrypted(request, response, { kid: 'other' }) },
      ];
      for (const form of forms) expect((await vp.post(request, form)).status).to.equal(400);
      expect((await vp.info(created)).status).to.equal('IN_USE');
    });

    it('413 and 415: one that is too large, or of another media type', async () => {
      const { request } = await asked();
      const path = { requestId: request.requestId };
      const text = `state=${'x'.repeat(1024 * 1024)}`;
      const contentType = 'application/x-www-form-urlencoded';
      expect((await server.call('submitAuthorizationResponse', { path, text, contentType })).status).to.equal(413);
      const other = await server.call('submitAuthorizationResponse', { path, text: 'x', contentType: 'text/plain' });
      expect(other.status).to.equal(415);
    });
  });

  describe('replay', () => {
    it('409: a second response, which changes nothing', async () => {
      const { created, request } = await asked();
      const response = await vp.response(request);
      await vp.respond(request, response);
      const before = await vp.info(created);
      const error = { error: 'access_denied', state: request.parameters.state };
      for (const again of [response, error]) expect((await vp.respond(request, again)).status).to.equal(409);
      expect(await vp.info(created)).to.deep.equal(before);
    });

    it('400: the presentation of another session; 404: after the end, and for an unknown request', async () => {
      const [{ request: first }, { request: second }] = [await asked(), await asked()];
      const vp_token = { degree: [await vp.presentation(first)] };
      expect((await vp.respond(second, { vp_token, state: second.parameters.state })).status).to.equal(400);
      expect((await vp.post({ requestId: 'unknown' }, { state: 'x' })).status).to.equal(404);
      server.clock.advance(600_000);
      expect((await vp.respond(first, { vp_token, state: first.parameters.state })).status).to.equal(404);
    });

    it('503: another response, and a wallet that fetches the request, while a response is verified; 409 after it', async () => {
      const hook = await new HttpPeer().listen();
      const { asked: isVerified, answer } = hook.hold('/hook');
      const policies = { vc_policies: [{ policy: 'webhook', url: `${hook.url}/hook` }] };
      const { created, request } = await asked(crossDevice({ policies }));
      const response = await vp.response(request);
      const path = { requestId: request.requestId };
      const attempts = [
        () => vp.respond(request, response),
        () => vp.respond(request, { error: 'access_denied', state: request.parameters.state }),
        () => vp.fetch(request.requestId),
        () => server.call('postAuthorizationRequest', { path, form: {} }),
      ];
      const first = vp.respond(request, response);
      await isVerified;
      for (const attempt of attempts) {
        const { status, headers, body } = await attempt();
        expect([status, headers.get('retry-after'), body.error]).to.deep.equal([503, '1', 'temporarily_unavailable']);
      }
      answer();
      expect((await first).status).to.equal(200);
      for (const attempt of attempts) expect((await attempt()).status).to.equal(409);
      expect([(await vp.info(created)).status, hook.count('/hook')]).to.deep.equal(['SUCCESSFUL', 1]);
      await hook.close();
    });

    it('of 50 responses at once one wins, and its result is the one shown', async () => {
      const { created, request } = await asked();
      const responses = await Promise.all(Array.from({ length: 50 }, () => vp.response(request)));
      const answers = await Promise.all(responses.map((response) => vp.respond(request, response)));
      const statuses = answers.map(({ status }) => status);
      const lost = answers.filter(({ status, headers }) => status === 409 || headers.get('retry-after') === '1');
      expect([statuses.filter((status) => status === 200).length, lost.length]).to.deep.equal([1, 49]);
      const winner = responses[statuses.indexOf(200)];
      expect((await vp.info(created)).presented_raw_data.vpToken).to.deep.equal(winner?.vp_token);
      expect(await vp.events(created)).to.deep.equal(SUCCESS);
    });
  });
});
