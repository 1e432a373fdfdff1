import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { locationOf } from '../../actors/browser.ts';
import { CALLBACK, clientCredentials } from '../../actors/relying-party.ts';
import { cardProfile, clientOf, parametersOf, SignInFixture, signInOf } from '../../actors/sign-in.ts';

const shop = await clientCredentials('client_secret_post');
const WITH_SECRET = { client_id: 'shop', client_secret: shop.secret ?? '' };
const VERIFIER = randomBytes(32).toString('base64url');
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

const REQUEST = {
  client_id: 'shop',
  response_type: 'code',
  scope: 'openid',
  redirect_uri: CALLBACK,
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  state: 'state-1',
};

/** The modules of OpenID's plan for Basic OPs, as far as they are about what is refused. */
describe('requestSignIn: what a provider refuses', () => {
  const fixture = new SignInFixture(
    signInOf(
      {
        shop: clientOf(shop),
        second: clientOf(shop),
        pushing: clientOf(shop, { requirePushedRequests: true }),
        other: clientOf(shop, { profiles: ['other'] }),
      },
      { card: cardProfile(), other: cardProfile({ acr: 'urn:example:other' }) },
    ),
  );
  const ask = (more: Record<string, string | undefined>) => {
    const members = Object.entries({ ...REQUEST, ...more }).filter(
      (member): member is [string, string] => member[1] !== undefined,
    );
    return fixture.browser().follow(`${fixture.issuer}/authorize?${new URLSearchParams(members)}`);
  };

  /** Errors that reach the client, with its state and the issuer. */
  const SENT: [string, Record<string, string | undefined>, string][] = [
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['an implicit response', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['a token in the redirect', { response_type: 'code token' }, 'unsupported_response_type'],
    ['no proof key', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['a plain proof key', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['prompt=none', { prompt: 'none' }, 'login_required'],
    ['prompt=none with another', { prompt: 'none login' }, 'invalid_request'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['a request URI', { request_uri: 'https://shop.example.org/request' }, 'request_uri_not_supported'],
    ['a registration', { registration: '{}' }, 'registration_not_supported'],
    ['claims that are no JSON', { claims: '{' }, 'invalid_request'],
    ['a negative age', { max_age: '-1' }, 'invalid_request'],
    ['an ID token of another', { id_token_hint: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.' }, 'invalid_request'],
    ['a profile of another client', { scope: 'openid other' }, 'invalid_scope'],
    ['a client that must push', { client_id: 'pushing' }, 'invalid_request'],
  ];
  for (const [title, more, error] of SENT)
    it(`303: ${title} is ${error} at the client`, async () => {
      const page = await ask(more);
      const answer = locationOf(page) ?? '';
      expect(/^[?#]/.test(answer.replace(CALLBACK, '')), `${page.status} ${page.text}`).to.equal(true);
      expect(parametersOf(answer)).to.include({ error, state: 'state-1', iss: fixture.issuer });
    });

  it('400: an error by form_post, for a request of a link and of a form', async () => {
    const form = { ...REQUEST, prompt: 'none', response_mode: 'form_post' };
    const browser = fixture.browser();
    for (const page of [
      await browser.open(`${fixture.issuer}/authorize?${new URLSearchParams(form)}`),
      await browser.open(`${fixture.issuer}/authorize`, { method: 'POST', form }),
    ]) {
      expect(page.status, page.text).to.equal(400);
      expect(page.text).to.include('login_required');
    }
  });

  it('postForSignedInPerson 400: two access tokens', async () => {
    const two = { token: 'one', form: { access_token: 'other' } };
    expect((await fixture.server.call('postForSignedInPerson', two)).status).to.equal(400);
  });

  /** Errors that only the person sees: the address is not the client's. */
  const SHOWN: [string, Record<string, string | undefined>][] = [
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: 'unknown' }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['a redirect URI that is not registered', { redirect_uri: 'https://evil.example.org/callback' }],
    ['a redirect URI with a query', { redirect_uri: `${CALLBACK}?a=b` }],
    ['a redirect URI with a slash', { redirect_uri: `${CALLBACK}/` }],
    ['a redirect URI in other letters', { redirect_uri: CALLBACK.replace('shop', 'SHOP') }],
    ['a redirect URI with a port', { redirect_uri: CALLBACK.replace('.org', '.org:443') }],
    ['a redirect URI with a fragment', { redirect_uri: `${CALLBACK}#a` }],
  ];
  for (const [title, more] of SHOWN)
    it(`400: ${title} is a page for the person`, async () => {
      const page = await ask(more);
      expect([page.status, locationOf(page)]).to.deep.equal([400, undefined]);
      expect(page.text).to.include('The sign-in cannot go on');
      expect(page.headers.get('content-security-policy')).to.include("default-src 'none'");
    });

  it('303: what a provider must not refuse: unknown parameters, hints, languages, displays, ages, scopes', async () => {
    const page = await ask({
      ...{ unknown: 'value', login_hint: 'ada', ui_locales: 'fr de', display: 'popup', max_age: '10000' },
      ...{ scope: 'openid profile email', prompt: 'login consent', acr_values: 'urn:none card', nonce: 'n' },
    });
    expect(page.status, page.text).to.equal(200);
    expect(page.text).to.include('Bei Shop anmelden');
  });

  it('400: a parameter that is repeated', async () => {
    const url = `${fixture.issuer}/authorize?${new URLSearchParams(REQUEST)}&state=other`;
    expect((await fixture.browser().open(url)).status).to.equal(400);
  });

  it('postSignInRequest 303: a form is the same request', async () => {
    const page = await fixture.browser().open(`${fixture.issuer}/authorize`, { method: 'POST', form: REQUEST });
    expect(page.status).to.equal(303);
    expect(locationOf(page)).to.match(/\/sign-in\/sign-ins\/[\w-]+$/);
  });

  it('pushSignInRequest 201: a reference; 400: what is wrong; 401: without authentication', async () => {
    const push = (form: Record<string, string>) => fixture.server.call('pushSignInRequest', { form });
    expect((await push({ ...REQUEST, ...WITH_SECRET })).status).to.equal(201);
    const wrong = await push({ ...REQUEST, ...WITH_SECRET, redirect_uri: 'https://evil.example.org/' });
    expect([wrong.status, wrong.body.error]).to.deep.equal([400, 'invalid_request']);
    expect((await push({ ...REQUEST, client_secret: 'wrong' })).status).to.equal(401);
  });

  it('getSignInConfiguration 200: what there is; getSignInKeys 200: public keys for both algorithms', async () => {
    const { body } = await fixture.server.call('getSignInConfiguration');
    expect(body).to.deep.include({
      issuer: fixture.issuer,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      subject_types_supported: ['pairwise'],
      acr_values_supported: ['card', 'urn:example:other'],
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
      end_session_endpoint: `${fixture.issuer}/logout`,
    });
    const { keys } = (await fixture.server.call('getSignInKeys')).body;
    expect(keys.map(({ alg }: { alg: string }) => alg)).to.deep.equal(['ES256', 'RS256']);
    for (const key of keys) expect(key).to.not.have.any.keys('d', 'p', 'q', 'dp', 'dq', 'qi');
  });

  describe('exchangeSignInCode', () => {
    const codeOf = async () => {
      const party = await fixture.party('shop', shop);
      const begun = await party.begin({ code_challenge: CHALLENGE });
      return parametersOf(await fixture.signIn(begun)).code ?? '';
    };
    const exchange = (form: Record<string, string>) =>
      fixture.server.call('exchangeSignInCode', {
        form: { grant_type: 'authorization_code', redirect_uri: CALLBACK, ...form },
      });

    it('400: a code of another client, another redirect URI, a wrong or no proof key; the code stays good', async () => {
      const code = await codeOf();
      for (const form of [
        { ...WITH_SECRET, client_id: 'second', code, code_verifier: VERIFIER },
        { ...WITH_SECRET, code, code_verifier: VERIFIER, redirect_uri: `${CALLBACK}?a` },
        { ...WITH_SECRET, code, code_verifier: randomBytes(32).toString('base64url') },
        { ...WITH_SECRET, code },
      ]) {
        const { status, body } = await exchange(form);
        expect([status, body.error]).to.deep.equal([400, 'invalid_grant']);
      }
      expect((await exchange({ ...WITH_SECRET, code, code_verifier: VERIFIER })).status).to.equal(200);
    });

    it('400: a code that was used ends the tokens that it gave', async () => {
      const form = { ...WITH_SECRET, code: await codeOf(), code_verifier: VERIFIER };
      const { body } = await exchange(form);
      const userinfo = () =>
        fixture.server.call('getSignedInPerson', { headers: { authorization: `Bearer ${body.access_token}` } });
      expect((await userinfo()).status).to.equal(200);
      expect((await exchange(form)).status).to.equal(400);
      expect((await userinfo()).status).to.equal(401);
    });

    it('401: a wrong secret, another way to authenticate, no authentication', async () => {
      const code = await codeOf();
      for (const form of [
        { client_id: 'shop', client_secret: 'wrong' },
        { client_id: 'shop', client_secret: '' },
        { client_id: 'unknown', client_secret: 'wrong' },
      ]) {
        const { status, body } = await exchange({ ...form, code, code_verifier: VERIFIER });
        expect([status, body.error]).to.deep.equal([401, 'invalid_client']);
      }
      const basic = `Basic ${Buffer.from('shop:wrong').toString('base64')}`;
      const answer = await fixture.server.call('exchangeSignInCode', {
        form: { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER },
        headers: { authorization: basic },
      });
      expect([answer.status, answer.headers.get('www-authenticate')?.startsWith('Basic')]).to.deep.equal([401, true]);
    });

    it('400: other grants', async () => {
      for (const grant of [
        'password',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:device_code',
        'implicit',
      ]) {
        const { status, body } = await exchange({ ...WITH_SECRET, grant_type: grant });
        expect([status, body.error], body.error_description).to.deep.equal([400, 'unsupported_grant_type']);
      }
    });
  });

  it('getSignedInPerson 401: no token, a wrong one, one in the URL; postForSignedInPerson 200: one in the form', async () => {
    const party = await fixture.party('shop', shop);
    const begun = await party.begin();
    const { access_token: token } = await party.exchange(await fixture.signIn(begun), begun.checks);
    const call = (headers: Record<string, string>) => fixture.server.call('getSignedInPerson', { headers });
    expect((await call({})).status).to.equal(401);
    expect((await call({ authorization: 'Bearer wrong' })).status).to.equal(401);
    expect((await fixture.server.fetch(`/sign-in/userinfo?access_token=${token}`)).status).to.equal(401);
    const posted = await fixture.server.call('postForSignedInPerson', { form: { access_token: token } });
    expect([posted.status, posted.body.family_name]).to.deep.equal([200, 'Lovelace']);
  });
});
