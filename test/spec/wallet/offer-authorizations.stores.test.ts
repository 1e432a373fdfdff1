import { expect } from 'chai';
import { AttestedIssuance, IDENTITY } from '../../actors/attested-wallet.ts';
import { browse, type CodeBehaviour, giveCodes, loginOffer } from '../../actors/code-grant.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { type Answer, useServer } from '../../support/servers/server.ts';

const REDIRECT_URI = 'com.example.app:/back?here=1';
const TEN_MINUTES = 10 * 60 * 1000;

const begin = (user: WalletUser, json: object) => user.call('beginOfferAuthorization', { json });
const finish = (user: WalletUser, json: object) => user.call('finishOfferAuthorization', { json });
const held = async (user: WalletUser) => (await user.call('listWalletCredentials')).body;
const refusal = ({ status, body }: Answer) => [status, body.details?.[0].path];

describe('beginOfferAuthorization: an offer of our issuer that its holder authorizes', () => {
  let issuance: AttestedIssuance;
  let holder: WalletUser;
  before(async () => {
    issuance = await AttestedIssuance.start('OPEN');
    holder = await newWalletUser(issuance.server);
  });
  after(() => issuance.close());

  const offer = async (authMethod: string, changes: object = {}): Promise<string> => {
    const json = { profileId: 'identity', authMethod, ...changes };
    return (await issuance.server.call('createCredentialOffer', { json })).body.credentialOffer;
  };

  it('beginOfferAuthorization, returnFromIssuer, finishOfferAuthorization 200: push, log in, return to the portal, receive', async () => {
    const { url } = issuance.server;
    const { status, body } = await begin(holder, { offer: await offer('AUTHORIZED') });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.grant).to.equal('authorization_code');
    expect([...new URL(body.authorizationUrl).searchParams.keys()]).to.deep.equal(['client_id', 'request_uri']);
    const query = await browse(body.authorizationUrl, `${url}/wallet-api/authorization-response`);
    expect(query).to.include({ state: body.state, iss: `${url}/openid4vci` });
    expect((await issuance.server.call('returnFromIssuer', { query: { code: 'x' } })).status).to.equal(400);
    const back = await issuance.server.call('returnFromIssuer', { query: { ...query, session_state: 'x' } });
    const [page, fragment = ''] = (back.headers.get('location') ?? '').split('?');
    expect([back.status, page]).to.deep.equal([302, `${url}/#/wallet/receive`]);
    expect(back.headers.get('cache-control')).to.equal('no-store');
    const { status: finished, body: received } = await finish(
      holder,
      Object.fromEntries(new URLSearchParams(fragment)),
    );
    expect(finished, JSON.stringify(received)).to.equal(200);
    expect(received.map(({ type }: { type: string }) => type)).to.deep.equal([(await held(holder))[0].type]);
    expect(refusal(await finish(holder, query)), 'a second time').to.deep.equal([400, '/body/state']);
  });

  it('beginOfferAuthorization 200: nothing is asked for an offer with a pre-authorized code', async () => {
    const { body } = await begin(holder, { offer: await offer('PRE_AUTHORIZED') });
    expect(body).to.deep.equal({ grant: 'pre-authorized_code' });
    const txCode = { input_mode: 'numeric', length: 4, description: 'By letter' };
    const asking = await offer('PRE_AUTHORIZED', { txCode, txCodeValue: '4711' });
    expect((await begin(holder, { offer: asking })).body).to.deep.equal({
      grant: 'pre-authorized_code',
      transactionCode: txCode,
    });
    expect(IDENTITY).to.be.a('string');
  });
});

describe('finishOfferAuthorization: an offer of another issuer that its holder authorizes', () => {
  const server = useServer({ settings: { wallet: { redirectUris: [REDIRECT_URI] } }, outboundTimeoutMs: 2000 });
  let holder: WalletUser;
  let issuer: TestIssuer;
  let codes: CodeBehaviour & { asked: URLSearchParams[] };
  before(async () => {
    holder = await newWalletUser(server);
  });
  beforeEach(async () => {
    await resetWallet(holder);
    issuer = await startIssuer();
    codes = giveCodes(issuer);
  });
  afterEach(() => issuer.close());

  /** Begins, and logs in; the parameters of the redirect. */
  async function login(changes: object = {}, user = holder): Promise<Record<string, string>> {
    const { status, body } = await begin(user, { offer: loginOffer(issuer), redirectUri: REDIRECT_URI, ...changes });
    expect(status, JSON.stringify(body)).to.equal(200);
    const { here: _, ...answer } = await browse(body.authorizationUrl, 'com.example.app:');
    return answer;
  }

  it('finishOfferAuthorization 200: asks by scope with a proof key, in place of details', async () => {
    const answer = await login({ offer: loginOffer(issuer, ['Degree_jwt_vc_json', 'Passport_jwt_vc_json']) });
    const { code_challenge: challenge, state, ...asked } = Object.fromEntries(codes.asked[0] ?? []);
    expect(challenge).to.match(/^[\w-]{43}$/);
    expect(asked).to.deep.equal({
      tenant: '1',
      response_type: 'code',
      client_id: server.url,
      redirect_uri: REDIRECT_URI,
      code_challenge_method: 'S256',
      issuer_state: 'the-session',
      scope: 'degree passport',
    });
    const { status, body } = await finish(holder, answer);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(await held(holder)).to.have.length(2);
    expect(state).to.equal(answer.state);
  });

  it('finishOfferAuthorization 400: an answer for another wallet, a late one and one of another server are refused', async () => {
    const other = await newWalletUser(server);
    const answer = await login();
    expect(refusal(await finish(other, answer))).to.deep.equal([400, '/body/state']);
    expect((await finish(holder, answer)).status).to.equal(200);
    await resetWallet(holder);
    expect(refusal(await finish(holder, { ...(await login()), iss: 'https://other.example' }))).to.deep.equal([
      400,
      '/body/iss',
    ]);
    const { iss: _, ...unnamed } = await login();
    expect(refusal(await finish(holder, unnamed))).to.deep.equal([400, '/body/iss']);
    const { code: __, ...empty } = await login();
    expect(refusal(await finish(holder, empty))).to.deep.equal([400, '/body/code']);
    const late = await login();
    server.clock.advance(TEN_MINUTES);
    expect(refusal(await finish(holder, late))).to.deep.equal([400, '/body/state']);
    expect([issuer.peer.count('/issuer/token'), await held(holder)]).to.deep.equal([1, []]);
  });

  it('finishOfferAuthorization: of two answers at once one is taken', async () => {
    const answer = await login();
    const answers = await Promise.all([finish(holder, answer), finish(holder, answer)]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
  });

  it('finishOfferAuthorization 400: passes on why the issuer did not authorize, and takes no code with it', async () => {
    codes.answer = { error: 'access_denied', error_description: 'Not\nyou' };
    const { status, body } = await finish(holder, await login());
    expect([status, body.upstreamError]).to.deep.equal([400, 'access_denied']);
    expect(body.message).to.include('Not you');
    expect(issuer.peer.count('/issuer/token')).to.equal(0);
    codes.answer = { code: 'of-another-login' };
    expect((await finish(holder, await login())).body.upstreamError).to.equal('invalid_grant');
  });

  it('finishOfferAuthorization 502: what the code was used for can be accepted again', async () => {
    const deliver = issuer.peer.routes['/issuer/credential'];
    issuer.peer.routes['/issuer/credential'] = () => ({ status: 503 });
    const { status, body } = await finish(holder, await login());
    expect([status, body.resumable]).to.deep.equal([502, true]);
    issuer.peer.routes['/issuer/credential'] = (request) => deliver?.(request);
    expect((await holder.call('acceptCredentialOffer', { text: loginOffer(issuer) })).status).to.equal(200);
  });

  it('finishOfferAuthorization 504: the issuer does not answer', async () => {
    issuer.peer.routes['/issuer/token'] = () => undefined;
    expect((await finish(holder, await login())).status).to.equal(504);
  });

  it('beginOfferAuthorization: of nine logins the eight latest are waited for', async () => {
    const answers: Record<string, string>[] = [];
    for (let n = 0; n < 9; n += 1) answers.push(await login());
    expect(refusal(await finish(holder, answers[0] ?? {}))).to.deep.equal([400, '/body/state']);
    expect((await finish(holder, answers[1] ?? {})).status).to.equal(200);
  });

  const refused: [string, Record<string, unknown>, string][] = [
    ['another server', { issuer: 'https://other.example' }, 'another authorization server'],
    ['a script in place of a login', { authorization_endpoint: 'javascript:alert(1)' }, 'no authorization_endpoint'],
    ['no login', { authorization_endpoint: undefined }, 'no authorization_endpoint'],
  ];
  for (const [what, metadata, message] of refused)
    it(`beginOfferAuthorization 400: the metadata name ${what}`, async () => {
      codes.metadata = metadata;
      const { status, body } = await begin(holder, { offer: loginOffer(issuer) });
      expect([status, body.message.includes(message)]).to.deep.equal([400, true]);
    });

  it('beginOfferAuthorization 400: returns to no other address, and says what is missing', async () => {
    const [link, redirectUri] = [loginOffer(issuer), `${REDIRECT_URI}2`];
    expect(refusal(await begin(holder, { offer: link, redirectUri }))).to.deep.equal([400, '/body/redirectUri']);
    expect(refusal(await begin(holder, { offer: 'none' }))).to.deep.equal([400, '/body/offer']);
    const { status, body } = await begin(holder, { offer: loginOffer(issuer, ['Licence_ldp']) });
    expect([status, body.message]).to.deep.equal([400, 'The credential format ldp_vc is not supported']);
    const { body: direct } = await holder.call('acceptCredentialOffer', { text: link });
    expect(direct.message).to.include('begin an authorization');
  });

  it('beginOfferAuthorization 502: the pushed request is refused by a failure; 400: by a code; 504: not answered', async () => {
    codes.metadata = { pushed_authorization_request_endpoint: `${issuer.issuer}/par` };
    const reply = { status: 500, body: {} as object };
    issuer.peer.routes['/issuer/par'] = () => reply;
    const answer = () => begin(holder, { offer: loginOffer(issuer) });
    expect((await answer()).status).to.equal(502);
    Object.assign(reply, { status: 201 });
    expect((await answer()).body.message).to.include('no request_uri');
    Object.assign(reply, { status: 400, body: { error: 'invalid_scope' } });
    expect((await answer()).body.upstreamError).to.equal('invalid_scope');
    issuer.peer.routes['/issuer/par'] = () => undefined;
    expect((await answer()).status).to.equal(504);
  });
});
