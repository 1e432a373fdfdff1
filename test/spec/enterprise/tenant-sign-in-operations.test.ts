import { expect } from 'chai';
import { type Browser, locationOf, type Page } from '../../actors/browser.ts';
import { CardWallet } from '../../actors/card-wallet.ts';
import { EventListener } from '../../actors/event-listener.ts';
import { CALLBACK, clientCredentials, RelyingParty } from '../../actors/relying-party.ts';
import { CARD, cardProfile, clientOf, signInWith } from '../../actors/sign-in.ts';
import { linkOf } from '../../actors/sign-in-page.ts';
import { type EnterpriseFixture, KMS, startEnterprise, VERIFIER } from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { contract, operationOf } from '../../support/documents/contract.ts';

const shop = await clientCredentials('client_secret_post');
const BRIDGE = 'acme.t1.signin';
const WITH_SECRET = { client_id: 'shop', client_secret: shop.secret ?? '' };
const REQUEST = {
  ...{ client_id: 'shop', response_type: 'code', scope: 'openid', redirect_uri: CALLBACK },
  ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
};

/** Every operation of a provider of a tenant. */
const OPERATIONS = [
  'tenantGetSignInConfiguration',
  'tenantGetSignInKeys',
  'tenantRequestSignIn',
  'tenantPostSignInRequest',
  'tenantResumeSignIn',
  'tenantPushSignInRequest',
  'tenantExchangeSignInCode',
  'tenantGetSignedInPerson',
  'tenantPostForSignedInPerson',
  'tenantLogOutOfSignIn',
  'tenantPostLogout',
  'tenantConfirmLogout',
  'tenantGetLoggedOutPage',
  'tenantGetSignInPage',
  'tenantOpenWalletForSignIn',
  'tenantReturnFromWallet',
  'tenantRetrySignIn',
  'tenantCancelSignIn',
  'tenantRequestDigitalSignIn',
  'tenantFollowSignIn',
  'tenantGetSignInAsset',
];

/** Creates a provider of a tenant. */
const createBridge = ({ post }: EnterpriseFixture) => {
  const profiles = {
    card: cardProfile({ flows: ['cross_device', 'same_device', 'dc_api'] }),
    scan: cardProfile({ flows: ['cross_device'] }),
  };
  const clients = { shop: clientOf(shop, { profiles: ['card', 'scan'] }) };
  return ok(
    post('createService', BRIDGE, { type: 'oidc-bridge', dependencies: [VERIFIER, KMS], clients, profiles }),
    201,
  );
};

describe('tenantRequestSignIn: every operation of a provider of a tenant', () => {
  let world: EnterpriseFixture;
  let wallet: CardWallet;
  let issuer: string;
  before(async () => {
    world = await startEnterprise();
    wallet = await CardWallet.with(CARD, { now: () => world.server.clock.now() });
    await createBridge(world);
    issuer = `${world.server.url}/v1/${BRIDGE}/oidc-bridge-api`;
  });
  after(() => world.close());

  const call = (operationId: string, more: object = {}, target = BRIDGE) =>
    world.server.call(operationId, { path: { target, signIn: 'none', asset: 'sign-in.css', ...more }, ...more });
  const party = () => RelyingParty.at(world.server, { issuer, id: 'shop', credentials: shop });
  const begin = async (asked = {}) => (await party()).begin(asked);
  const post = (browser: Browser, url: string, form: Record<string, string> = {}): Promise<Page> =>
    browser.open(url, { method: 'POST', form });

  for (const operationId of OPERATIONS)
    describe(operationId, () => {
      it('404: at a target without a provider', async () => {
        const { requestBody } = await operationOf(operationId);
        const { status } = await call(operationId, requestBody ? { form: { client_id: 'shop' } } : {}, 'acme.t1.none');
        expect(status).to.equal(404);
      });
    });

  it('rows: these are all that there are', async () => {
    const own = (await contract).operations.filter(({ document }) => document === 'tenant-sign-in');
    expect(own.map(({ operationId }) => operationId)).to.have.members(OPERATIONS);
  });

  it('200: describes itself; keys; files; 304: a file that is known', async () => {
    expect((await call('tenantGetSignInConfiguration')).status).to.equal(200);
    expect((await call('tenantGetSignInKeys')).status).to.equal(200);
    const { status, headers } = await call('tenantGetSignInAsset');
    expect(status).to.equal(200);
    const known = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
    expect((await call('tenantGetSignInAsset', known)).status).to.equal(304);
  });

  it('303: a request leads to the page, in the URL, as a form and pushed; 200: as a form to the client', async () => {
    const { browser, page } = await begin();
    expect(page.status).to.equal(200);
    expect(locationOf(await post(browser, `${issuer}/authorize`, REQUEST))).to.include(`${issuer}/sign-ins/`);
    const pushed = await call('tenantPushSignInRequest', { form: { ...REQUEST, ...WITH_SECRET } });
    expect(pushed.status).to.equal(201);
    expect((await call('tenantPushSignInRequest', { form: { ...REQUEST, client_secret: 'wrong' } })).status).to.equal(
      401,
    );
    const posted = { ...REQUEST, response_mode: 'form_post' };
    const answered = await begin({ response_mode: 'form_post' });
    await wallet.follow(linkOf(answered.page));
    const end = await answered.browser.follow(answered.page.url);
    expect([end.status, end.text.includes('name="code"')]).to.deep.equal([200, true]);
    for (const page of [
      await browser.open(
        `${issuer}/authorize?${new URLSearchParams({ ...posted, scope: 'openid a b', prompt: 'none' })}`,
      ),
      await post(browser, `${issuer}/authorize`, { ...posted, prompt: 'none' }),
    ])
      expect(page.text).to.include('login_required');
  });

  it('200: tokens and claims; 401: without authentication', async () => {
    const begun = await begin();
    const { access_token: token } = await (await party()).exchange(await signInWith(wallet, begun), begun.checks);
    const headers = { authorization: `Bearer ${token}` };
    for (const operationId of ['tenantGetSignedInPerson', 'tenantPostForSignedInPerson']) {
      expect((await call(operationId, { headers })).status).to.equal(200);
      expect((await call(operationId, { headers: { authorization: 'Bearer wrong' } })).status).to.equal(401);
    }
    const form = { grant_type: 'authorization_code', code: 'wrong', redirect_uri: CALLBACK, client_id: 'shop' };
    expect((await call('tenantExchangeSignInCode', { form: { ...form, client_secret: 'wrong' } })).status).to.equal(
      401,
    );
  });

  it('303: the page leads to a wallet, asks again and cancels; 200: it is followed', async () => {
    const begun = await begin();
    const { browser, page } = begun;
    const opened = await browser.open(`${page.url}/wallet`);
    const back = await wallet.follow(locationOf(opened) ?? '', 'decline');
    expect(locationOf(await browser.open(back ?? ''))).to.equal(page.url);
    expect(locationOf(await post(browser, `${page.url}/retry`))).to.equal(page.url);
    const signIn = page.url.split('/').at(-1) ?? '';
    const headers = { cookie: browser.cookieFor(`${page.url}/events`) };
    const operation = 'tenantFollowSignIn';
    (await EventListener.open(world.server, signIn, { operation, headers, target: BRIDGE })).leave();
    const cancelled = await post(browser, `${page.url}/cancel`);
    expect(locationOf(await browser.follow(locationOf(cancelled) ?? ''))).to.include('error=access_denied');
    expect((await browser.open(page.url)).status).to.equal(404);
  });

  it('200: logs out; 303: as the page asked', async () => {
    const browser = (await begin()).browser;
    const page = await browser.open(`${issuer}/logout?client_id=shop`);
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.text) ?? [];
    expect([page.status, (await post(browser, `${issuer}/logout`, { client_id: 'shop' })).status]).to.deep.equal([
      200, 200,
    ]);
    const again = await browser.open(`${issuer}/logout?client_id=shop`);
    const [, secret = xsrf] = /name="xsrf" value="([^"]+)"/.exec(again.text) ?? [];
    const out = await post(browser, `${issuer}/logout/confirm`, { xsrf: secret, logout: 'yes' });
    expect([out.status, (await browser.open(`${issuer}/logout/success`)).status]).to.deep.equal([303, 200]);
  });
});

describe('tenantRequestDigitalSignIn', () => {
  it('200: for the wallet of the browser, at a secure origin', async () => {
    const publicUrl = 'https://sign-in.example.org';
    const world = await startEnterprise({ publicUrl });
    await createBridge(world);
    const shopAt = { issuer: `${publicUrl}/v1/${BRIDGE}/oidc-bridge-api`, id: 'shop', credentials: shop };
    const { browser, page } = await (await RelyingParty.at(world.server, shopAt)).begin();
    const { status, text } = await browser.open(`${page.url}/digital`, { method: 'POST' });
    expect([status, Object.keys(JSON.parse(text))]).to.deep.equal([200, ['data', 'responseUri']]);
    await world.close();
  });
});
