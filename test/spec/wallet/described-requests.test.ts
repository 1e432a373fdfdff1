import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { UnsecuredJWT } from 'jose';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { jwkParty } from '../../actors/party.ts';
import { definitionOf, startVerifier, type TestVerifier } from '../../actors/verifier.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';

const METADATA = {
  client_name: 'The\u202eShop\r\nof Ada',
  logo_uri: 'https://shop.example/logo.png',
  vp_formats: {},
};

describe('deciding on presentation requests', () => {
  const server = useServer({ outboundTimeoutMs: 1500 });
  let issuer: TestIssuer;
  let verifier: TestVerifier;
  let holder: WalletUser;
  let degree: string;
  before(async () => {
    issuer = await startIssuer();
    holder = await newWalletUser(server);
  });
  beforeEach(async () => {
    await resetWallet(holder);
    verifier = await startVerifier();
    const text = issuer.link(['Degree_jwt_vc_json', 'Passport_jwt_vc_json']);
    const { body } = await holder.call('acceptCredentialOffer', { text });
    degree = body[0].id;
  });
  afterEach(() => verifier.close());
  after(() => issuer.close());

  const describeRequest = (text: string) =>
    holder.call('describePresentationRequest', { text, contentType: 'application/json' });
  const described = async (text: string) => {
    const { status, body } = await describeRequest(text);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  /** A request with the definition in it. */
  const inline = (definition: object = verifier.behaviour.definition, more: Record<string, string> = {}): string =>
    `openid4vp://?${new URLSearchParams({ ...verifier.params(), presentation_definition: JSON.stringify(definition), ...more })}`;

  describe('describePresentationRequest', () => {
    it('200: names who asks as stated, the host that receives the answer and the purposes', async () => {
      const [descriptor] = definitionOf('Degree').input_descriptors;
      const asked = { ...descriptor, name: 'Your degree', purpose: 'To grant\nthe discount' };
      const definition = { id: 'd', purpose: 'Discount', input_descriptors: [asked] };
      const clientId = `${verifier.peer.url}/verify`;
      const parties = { client_id: clientId, response_uri: clientId };
      const body = await described(inline(definition, { client_metadata: JSON.stringify(METADATA), ...parties }));
      expect(body.verifier).to.deep.equal({
        clientId,
        name: 'The Shop of Ada',
        logoUri: METADATA.logo_uri,
        responseHost: new URL(clientId).host,
      });
      expect(body.proof).to.deep.equal({ kind: 'redirect-uri', host: new URL(clientId).host });
      expect(body.purposes).to.deep.equal(['Discount']);
      expect(body.queries[0]).to.include({ name: 'Your degree', purpose: 'To grant the discount', omitted: 0 });
      expect(body.queries[0].formats).to.deep.equal(['jwt_vc_json']);
      expect(body).not.to.have.property('expiresAt');
    });

    it('200: lists for each query the matching credentials and every claim that would be disclosed', async () => {
      const body = await described(verifier.byUri());
      expect(body.isAnswerable).to.equal(true);
      const [{ credentials, ...query }] = body.queries;
      expect(query).to.include({ id: 'Degree & more', isRequired: true, isMultiple: false });
      expect(credentials).to.have.length(1);
      const [{ disclosed, withheld, isWhole, id, type }] = credentials;
      expect([id, type, isWhole, withheld]).to.deep.equal([degree, 'Degree', true, []]);
      const { document } = (await holder.call('getWalletCredential', { path: { credentialId: degree } })).body;
      const claims = JSON.parse(Buffer.from(document.split('.')[1], 'base64url').toString());
      expect(rebuilt(disclosed)).to.deep.equal(claims);
      expect(disclosed).to.deep.include({ path: ['vc', 'credentialSubject', 'level'], value: 'master' });
    });

    it('200: describes the requests of our own verifier, with any media type', async () => {
      const json = { request_credentials: [{ type: 'Degree', format: 'jwt_vc_json' }] };
      const text: string = (await server.call('startVerification', { json })).body;
      for (const contentType of ['text/plain', 'application/json']) {
        const { body } = await holder.call('describePresentationRequest', { text, contentType });
        expect(body.proof).to.deep.equal({ kind: 'redirect-uri', host: new URL(server.url).host });
        expect(body.queries[0].credentials.map(({ id }: { id: string }) => id)).to.deep.equal([degree]);
      }
    });

    it('200: says when the wallet cannot answer, and which queries are optional', async () => {
      const missing = await described(inline(definitionOf('Degree', 'Licence')));
      expect(missing.isAnswerable).to.equal(false);
      expect(missing.queries.map(({ credentials }: { credentials: object[] }) => credentials.length)).to.deep.equal([
        1, 0,
      ]);
      const definition = definitionOf('Degree', 'Licence', 'Passport');
      const groups = [['A'], ['B'], ['B']];
      const input_descriptors = definition.input_descriptors.map((one, index) => ({ ...one, group: groups[index] }));
      const submission_requirements = [
        { rule: 'all', from: 'A', purpose: 'Who you are' },
        { rule: 'pick', count: 1, max: 1, from: 'B' },
      ];
      const body = await described(inline({ id: 'd', input_descriptors, submission_requirements }));
      expect(body.isAnswerable).to.equal(true);
      expect(body.purposes).to.deep.equal(['Who you are']);
      const required = body.queries.map(({ isRequired }: { isRequired: boolean }) => isRequired);
      expect(required).to.deep.equal([true, false, false]);
    });

    it('200: the DID that signed the request is proven, with the end of the request', async () => {
      const { did, sign } = await jwkParty();
      const claims = { ...verifier.params(), presentation_definition: verifier.behaviour.definition };
      const exp = Math.floor(server.clock.now() / 1000) + 300;
      for (const clientId of [did, `decentralized_identifier:${did}`]) {
        const signed = await sign({ ...claims, client_id: clientId, exp }, { typ: 'oauth-authz-req+jwt' });
        const body = await described(`openid4vp://?client_id=${encodeURIComponent(clientId)}&request=${signed}`);
        expect(body.proof).to.deep.equal({ kind: 'did-signature', did });
        expect(body.expiresAt).to.equal(new Date(exp * 1000).toISOString());
      }
    });

    it('200: a link alone proves nothing about the party it names', async () => {
      const { did } = await jwkParty();
      const address = `${verifier.peer.url}/verify?session=7`;
      const stated: Record<string, string>[] = [
        { client_id: did },
        { client_id: 'https://bank.example' },
        { client_id: 'bank', client_id_scheme: 'pre-registered' },
        { client_id: address, client_id_scheme: 'x509_san_uri' },
        { client_id: `${address}1` },
      ];
      for (const more of stated)
        expect((await described(inline(undefined, more))).proof).to.deep.equal({ kind: 'unproven' });
      const unsigned = new UnsecuredJWT({
        ...verifier.params(),
        presentation_definition: verifier.behaviour.definition,
      }).encode();
      expect((await described(`openid4vp://?request=${unsigned}`)).proof).to.deep.equal({ kind: 'unproven' });
    });

    it('400: a request of version 1.0 that nothing proves, about which the user is not asked', async () => {
      const credentials = [{ id: 'd', format: 'jwt_vc_json', meta: { type_values: [['Degree']] } }];
      const dcql_query = JSON.stringify({ credentials });
      for (const client_id of ['bank', `${verifier.peer.url}/other`, (await jwkParty()).did]) {
        const text = `openid4vp://?${new URLSearchParams({ ...verifier.params(), client_id, dcql_query })}`;
        const { status, body } = await describeRequest(text);
        expect([status, body.message].join(), client_id).to.match(
          /^400,(Nothing that this wallet trusts proves|The client_id has no prefix)/,
        );
      }
    });

    it('200: never shows nonce and state, and sends the verifier nothing but the request for its definition', async () => {
      const [nonce, state] = [randomUUID(), randomUUID()];
      const link = `openid4vp://?${new URLSearchParams({ ...verifier.params(), nonce, state, presentation_definition_uri: `${verifier.peer.url}/pd` })}`;
      const text = JSON.stringify(await described(link));
      expect([text.includes(nonce), text.includes(state)]).to.deep.equal([false, false]);
      expect(verifier.peer.seen.map(({ method, url, body }) => [method, url.pathname, body])).to.deep.equal([
        ['GET', '/pd', ''],
      ]);
    });

    it('200: metadata that cannot be read states nothing', async () => {
      for (const client_metadata of ['{', '[]', '{"client_name":7,"logo_uri":"javascript:alert(1)"}']) {
        const { verifier: stated } = await described(inline(undefined, { client_metadata }));
        expect(stated).to.have.all.keys('clientId', 'responseHost');
      }
    });

    it('200: leaves out what would make the answer too long, and says how many', async () => {
      const level = Array.from({ length: 9000 }, () => 1);
      issuer.behaviour.claims = (claims) => ({ ...claims, level });
      for (let round = 0; round < 3; round += 1) await holder.call('acceptCredentialOffer', { text: issuer.link() });
      issuer.behaviour.claims = (claims) => claims;
      const [query] = (await described(verifier.byUri())).queries;
      expect([query.credentials.length, query.omitted]).to.deep.equal([3, 1]);
    });

    it('400: refuses requests that cannot be answered, too many requirements, and a client_id of another address', async () => {
      const definition = definitionOf('Degree');
      const submission_requirements = Array.from({ length: 600 }, () => ({ rule: 'all', from: 'A' }));
      for (const text of [
        'nothing',
        inline(definition, { response_mode: 'query' }),
        inline({ ...definition, submission_requirements }),
        inline(definition, { client_id: 'redirect_uri:https://bank.example/' }),
        'openid4vp://?client_id=a&presentation_definition_uri=http://10.0.0.1/&response_uri=http://a',
      ])
        expect((await describeRequest(text)).status, text).to.equal(400);
    });

    it('502: the verifier fails', async () => {
      verifier.peer.routes['/pd'] = () => ({ status: 500 });
      expect((await describeRequest(verifier.byUri())).status).to.equal(502);
    });

    it('504: the verifier does not answer', async () => {
      verifier.peer.routes['/pd'] = () => undefined;
      expect((await describeRequest(verifier.byUri())).status).to.equal(504);
    });
  });

  describe('declinePresentationRequest', () => {
    const decline = (presentationRequest: string, note?: string) =>
      holder.call('declinePresentationRequest', { json: { presentationRequest, note } });
    const posted = () => verifier.peer.seen.filter(({ method }) => method === 'POST').map(({ body }) => body);

    it('200: sends access_denied and the state, and nothing else', async () => {
      verifier.peer.routes['/verify'] = () => ({ body: { redirect_uri: 'https://shop.example/declined?id=1' } });
      const { status, body } = await decline(verifier.byUri(), 'I do not trust them');
      expect([status, body]).to.deep.equal([200, { redirectUri: 'https://shop.example/declined?id=1' }]);
      expect(posted()).to.deep.equal(['error=access_denied&state=state+7']);
      expect(verifier.peer.count('/pd')).to.equal(0);
    });

    it('200: our own verifier stores the refusal, once', async () => {
      const json = { request_credentials: [{ type: 'Degree', format: 'jwt_vc_json' }] };
      const headers = { errorRedirectUri: 'https://portal.example/e' };
      const request: string = (await server.call('startVerification', { json, headers })).body;
      expect((await decline(request, 'Not today')).body).to.deep.equal({ redirectUri: 'https://portal.example/e' });
      const state = new URL(request).searchParams.get('state') ?? '';
      const result = (await server.call('getVerificationResult', { path: { state } })).body;
      expect(result).to.deep.include({
        verificationResult: false,
        tokenResponse: { error: 'access_denied', state },
      });
      expect((await decline(request)).status).to.equal(400);
    });

    it('200: a request without a state gets none', async () => {
      verifier.peer.routes['/verify'] = () => ({});
      const { state: _, ...params } = verifier.params();
      await decline(`openid4vp://?${new URLSearchParams(params)}`);
      expect(posted()).to.deep.equal(['error=access_denied']);
    });

    it('400: the verifier does not accept it; its redirect is not followed', async () => {
      verifier.peer.routes['/verify'] = () => ({ status: 404, body: { error: 'invalid_request', message: 'gone' } });
      const { status, body } = await decline(verifier.byUri());
      expect(status).to.equal(400);
      expect(body.message).to.include('gone');
    });

    it('400: refuses a link without an address, and names the field of a malformed body', async () => {
      expect((await decline('openid4vp://?client_id=a')).status).to.equal(400);
      const { status, body } = await decline('nothing');
      expect([status, body.details[0].path]).to.deep.equal([400, '/body/presentationRequest']);
    });

    it('502: the verifier fails', async () => {
      verifier.peer.routes['/verify'] = () => ({ status: 500 });
      expect((await decline(verifier.byUri())).status).to.equal(502);
    });

    it('504: the verifier does not answer', async () => {
      verifier.peer.routes['/verify'] = () => undefined;
      expect((await decline(verifier.byUri())).status).to.equal(504);
    });
  });
});

/** The JSON value with these claims. */
function rebuilt(claims: { path: (string | number)[]; value: unknown }[]): unknown {
  // biome-ignore lint/suspicious/noExplicitAny: any JSON value
  const root: any = {};
  for (const { path, value } of claims) {
    let place = root;
    for (const [index, name] of path.entries()) {
      const next = path[index + 1];
      if (next === undefined) place[name] = value;
      else place[name] ??= typeof next === 'number' ? [] : {};
      place = place[name];
    }
  }
  return root;
}
