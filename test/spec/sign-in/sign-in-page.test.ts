import { expect } from 'chai';
import type { SignInFlow } from '../../../domain/sign-in/written-sign-in.ts';
import { locationOf } from '../../actors/browser.ts';
import { CardWallet } from '../../actors/card-wallet.ts';
import { EventListener } from '../../actors/event-listener.ts';
import { CALLBACK, clientCredentials } from '../../actors/relying-party.ts';
import { cardProfile, clientOf, parametersOf, SignInFixture, signInOf } from '../../actors/sign-in.ts';
import { linkOf } from '../../actors/sign-in-page.ts';
import { until } from '../../support/runs/waiting.ts';

const shop = await clientCredentials('client_secret_basic');
const HOSTILE = '"><script src=https://evil.example></script>';

describe('getSignInPage', () => {
  const on = new SignInFixture(
    signInOf(
      {
        shop: clientOf(shop, { profiles: ['card', 'strict', 'plain', 'browser'] }),
        hostile: clientOf(shop, { name: HOSTILE, profiles: ['card'] }),
      },
      {
        card: cardProfile({ purpose: 'To show your orders' }),
        strict: cardProfile({
          claims: { email: { query: 'card', path: ['email'], required: true, transform: 'none', list: false } },
        }),
        plain: cardProfile({ subject: { ...cardProfile().subject, kind: 'plain' }, trustFramework: 'town' }),
        browser: cardProfile({ flows: ['dc_api'] }),
      },
    ),
  );
  const begin = async (asked = {}) => (await on.party('shop', shop)).begin(asked);

  it('200: names the client, its purpose and what it gets, and works without script', async () => {
    const { page } = await begin();
    expect(page.text)
      .to.include('<h1>Sign in to Shop</h1>')
      .and.include('To show your orders')
      .and.include('Shop gets: family name');
    expect(page.text).to.include('<noscript><meta http-equiv="refresh" content="5"></noscript>');
    expect(page.headers.get('content-security-policy'))
      .to.include("script-src 'self'")
      .and.include("frame-ancestors 'none'");
    expect(page.headers.get('cache-control')).to.equal('no-store');
  });

  it('200: in the language that the client asks for, then that of the browser', async () => {
    const { page, browser } = await begin({ ui_locales: 'fr de-AT' });
    expect(page.text).to.include('<html lang="de">').and.include('Bei Shop anmelden');
    const french = await (await begin()).browser.open((await begin()).page.url, {
      headers: { 'accept-language': 'fr, de' },
    });
    expect(french.text).to.include('<html lang="de">');
    expect((await browser.open(page.url, { headers: { 'accept-language': 'en' } })).text).to.include(
      '<html lang="de">',
    );
  });

  it('200: a hostile name of a client is a text', async () => {
    const { page } = await (await on.party('hostile', shop)).begin();
    expect(page.text).to.include('&quot;&gt;&lt;script');
    expect(page.text).to.not.include('<script src=https');
  });

  it('200: says how far it is; 303 once the answer was accepted', async () => {
    const begun = await begin();
    const link = linkOf(begun.page);
    await fetch(new URL(link).searchParams.get('request_uri') ?? '');
    expect((await on.again(begun)).text).to.include('Your wallet has the request');
    await on.wallet.follow(link);
    expect(parametersOf(locationOf(await on.again(begun)) ?? '')).to.include.keys('code', 'state', 'iss');
  });

  it('404: for another browser, and after the end, with a page that says so', async () => {
    const begun = await begin();
    for (const page of [
      await on.browser().open(begun.page.url),
      await on.again({ ...(await begin()), page: begun.page }),
    ]) {
      expect(page.status).to.equal(404);
      expect(page.text).to.include('This sign-in is over');
    }
    await on.signIn(begun);
    expect((await begun.browser.open(begun.page.url)).status).to.equal(404);
  });

  const REFUSED: [string, (wallet: CardWallet, link: string) => Promise<unknown>, string][] = [
    ['declined', (wallet, link) => wallet.follow(link, 'decline'), 'Your wallet declined'],
    [
      'of an unknown issuer or without what was asked for',
      async (wallet, link) => (await CardWallet.with('https://town.example/other', { now: wallet.now })).follow(link),
      'You were not signed in',
    ],
  ];
  for (const [title, answer, text] of REFUSED)
    it(`200: an answer that is ${title} is explained, and can be tried again`, async () => {
      const begun = await begin();
      await answer(on.wallet, linkOf(begun.page));
      const page = await on.again(begun);
      expect(page.text).to.include('You were not signed in').and.include(text);
      const again = await begun.browser.open(`${begun.page.url}/retry`, { method: 'POST' });
      expect([again.status, locationOf(again)]).to.deep.equal([303, begun.page.url]);
      await on.wallet.follow(linkOf(await on.again(begun)));
      expect(parametersOf(locationOf(await on.again(begun)) ?? '')).to.include.keys('code');
    });

  it('retrySignIn 409: after too many requests', async () => {
    const begun = await begin();
    const statuses = [];
    for (let asked = 0; asked < 16; asked += 1)
      statuses.push((await begun.browser.open(`${begun.page.url}/retry`, { method: 'POST' })).status);
    expect([...new Set(statuses)]).to.deep.equal([303, 409]);
  });

  it('cancelSignIn 303: access_denied at the client', async () => {
    const begun = await begin();
    const end = await begun.browser.open(`${begun.page.url}/cancel`, { method: 'POST' });
    const answer = await begun.browser.follow(locationOf(end) ?? '');
    expect(parametersOf(locationOf(answer) ?? '')).to.include({ error: 'access_denied' });
  });

  it('303: a browser that signed in is asked again, and is a stranger to prompt=none', async () => {
    const party = await on.party('shop', shop);
    const first = await party.begin();
    await on.signIn(first);
    const { url } = await party.request();
    const page = await first.browser.follow(url);
    expect([page.status, page.text.includes('<h1>Sign in to Shop</h1>')]).to.deep.equal([200, true]);
    const silent = await party.request({ prompt: 'none' });
    const answer = locationOf(await first.browser.follow(silent.url)) ?? '';
    expect(parametersOf(answer)).to.include({ error: 'login_required' });
  });

  it('303: without a required claim it is access_denied, and nothing is half-filled', async () => {
    const answer = await on.signIn(await begin({ acr_values: 'strict' }));
    expect(parametersOf(answer)).to.include({ error: 'access_denied' }).and.not.include.keys('code');
  });

  it('303: another person than the hint names is login_required', async () => {
    const party = await on.party('shop', shop);
    const first = await party.begin();
    const { id_token: hint = '' } = await party.exchange(await on.signIn(first), first.checks);
    const same = await party.begin({ id_token_hint: hint });
    expect(parametersOf(await on.signIn(same))).to.include.keys('code');
    const other = await party.begin({ id_token_hint: hint, acr_values: 'plain' });
    expect(parametersOf(await on.signIn(other))).to.include({ error: 'login_required' });
  });

  it('303: a plain subject and verified_claims, where the profile says so and the client asks', async () => {
    const party = await on.party('shop', shop);
    const verified = { verification: { trust_framework: null }, claims: { family_name: null } };
    const asked = JSON.stringify({ id_token: { verified_claims: verified } });
    const begun = await party.begin({ acr_values: 'plain', claims: asked });
    const tokens = await party.exchange(await on.signIn(begun), begun.checks);
    const { sub, verified_claims: given } = { ...tokens.claims() } as Record<string, unknown>;
    expect(sub).to.equal('Lovelace');
    expect(given).to.deep.include({ claims: { family_name: 'Lovelace' } });
    expect(JSON.stringify(given)).to.include(on.wallet.issuer);
  });

  it('what was presented is deleted when the sign-in ends', async () => {
    const begun = await begin();
    const { searchParams } = new URL(linkOf(begun.page));
    await on.signIn(begun);
    expect((await fetch(searchParams.get('request_uri') ?? '')).status).to.be.oneOf([404, 409]);
  });

  describe('openWalletForSignIn', () => {
    it('303: a link to a wallet, which sends the browser back with a code that counts in it alone', async () => {
      const begun = await begin();
      const opened = await begun.browser.open(`${begun.page.url}/wallet`);
      const back = await on.wallet.follow(locationOf(opened) ?? '');
      // Until the code is here the answer does not count: the request may have been sent to another person.
      expect((await on.again(begun)).text).to.include('<h1>Sign in to Shop</h1>');
      expect((await on.browser().open(back ?? '')).status).to.equal(404);
      const end = await begun.browser.follow(back ?? '');
      expect(parametersOf(locationOf(end) ?? '')).to.include.keys('code');
    });

    it('returnFromWallet 400: a wrong code; 303: none after a refusal', async () => {
      const begun = await begin();
      const opened = await begun.browser.open(`${begun.page.url}/wallet`);
      expect((await begun.browser.open(`${begun.page.url}/return?response_code=wrong`)).status).to.equal(400);
      const back = await on.wallet.follow(locationOf(opened) ?? '', 'decline');
      const page = await begun.browser.follow(back ?? '');
      expect(page.text).to.include('Your wallet declined');
    });

    it('404: for a profile without links; 409 after too many requests', async () => {
      const browser = await begin({ acr_values: 'browser' });
      expect((await browser.browser.open(`${browser.page.url}/wallet`)).status).to.equal(404);
      const begun = await begin();
      const statuses = [];
      for (let asked = 0; asked < 17; asked += 1)
        statuses.push((await begun.browser.open(`${begun.page.url}/wallet`)).status);
      expect(new Set(statuses)).to.deep.equal(new Set([303, 409]));
    });
  });

  it('followSignIn 200: an event for each step; 404: in another browser', async () => {
    const begun = await begin();
    const signIn = begun.page.url.split('/').at(-1) ?? '';
    const headers = { cookie: begun.browser.cookieFor(`${begun.page.url}/events`) };
    const listener = await EventListener.open(on.server, signIn, { operation: 'followSignIn', headers });
    await fetch(new URL(linkOf(begun.page)).searchParams.get('request_uri') ?? '');
    await until(() => listener.text.includes('authorization_request_requested'));
    expect(listener.text).to.include('IN_USE').and.not.include('Lovelace');
    listener.leave();
    expect((await on.browser().open(`${begun.page.url}/events`)).status).to.equal(404);
  });
});

describe('requestDigitalSignIn', () => {
  const flows: SignInFlow[] = ['dc_api', 'cross_device'];
  const browser = cardProfile({ flows });
  const settings = { publicUrl: 'https://sign-in.example.org' };
  const on = new SignInFixture(
    signInOf({ shop: clientOf(shop, { profiles: ['browser', 'card'] }) }, { browser, card: cardProfile() }),
    { settings },
  );
  const begin = async (acr: string) => {
    const browser = on.browser();
    const asked = {
      ...{ client_id: 'shop', response_type: 'code', scope: 'openid', redirect_uri: CALLBACK, acr_values: acr },
      ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
    };
    return { browser, page: await browser.follow(`${on.issuer}/authorize?${new URLSearchParams(asked)}`) };
  };

  it('200: the wallet of the browser answers the page; cookies are for https alone', async () => {
    const begun = await begin('browser');
    expect(begun.page.text).to.include('id="digital"');
    expect(begun.browser.kept.length).to.be.greaterThan(0);
    for (const cookie of begun.browser.kept)
      expect(cookie)
        .to.match(/; httponly/i)
        .and.match(/; secure/i)
        .and.match(/; samesite=lax/i);
    const { text } = await begun.browser.open(`${begun.page.url}/digital`, { method: 'POST' });
    const { data, responseUri } = JSON.parse(text);
    const answer = await on.wallet.answer(data, new URL(on.issuer).origin);
    const headers = { 'content-type': 'application/json' };
    const sent = await on.server.fetch(new URL(responseUri).pathname, {
      method: 'POST',
      headers,
      body: JSON.stringify(answer),
    });
    expect(sent.status).to.equal(200);
    expect(parametersOf(locationOf(await on.again(begun)) ?? '')).to.include.keys('code');
  });

  it('409: after too many requests', async () => {
    const begun = await begin('browser');
    const statuses = [];
    for (let asked = 0; asked < 17; asked += 1)
      statuses.push((await begun.browser.open(`${begun.page.url}/digital`, { method: 'POST' })).status);
    expect([...new Set(statuses)]).to.deep.equal([200, 409]);
  });

  it('404: for a profile without it', async () => {
    const begun = await begin('card');
    expect((await begun.browser.open(`${begun.page.url}/digital`, { method: 'POST' })).status).to.equal(404);
  });
});

describe('logOutOfSignIn', () => {
  const on = new SignInFixture(signInOf({ shop: clientOf(shop) }));

  it('200: asks the person, who goes on to the exact address of the client; the access token ends', async () => {
    const party = await on.party('shop', shop);
    const begun = await party.begin();
    const tokens = await party.exchange(await on.signIn(begun), begun.checks);
    const asked = {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: 'https://shop.example.org/',
      state: 's',
    };
    const page = await begun.browser.open(`${on.issuer}/logout?${new URLSearchParams(asked)}`);
    expect([page.status, page.text.includes('Log out of Shop?')]).to.deep.equal([200, true]);
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.text) ?? [];
    const out = await begun.browser.open(`${on.issuer}/logout/confirm`, {
      method: 'POST',
      form: { xsrf, logout: 'yes' },
    });
    expect(locationOf(out)).to.equal('https://shop.example.org/?state=s');
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect((await on.server.call('getSignedInPerson', { headers })).status).to.equal(401);
  });

  it('400: an address that is not the client’s; confirmLogout 400: without the secret of the page', async () => {
    const asked = { client_id: 'shop', post_logout_redirect_uri: 'https://evil.example.org/' };
    const browser = on.browser();
    for (const page of [
      await browser.open(`${on.issuer}/logout?${new URLSearchParams(asked)}`),
      await browser.open(`${on.issuer}/logout`, { method: 'POST', form: asked }),
      await browser.open(`${on.issuer}/logout/confirm`, { method: 'POST', form: { xsrf: 'wrong', logout: 'yes' } }),
      await browser.open(`${on.issuer}/logout/success?client_id=unknown`),
    ]) {
      expect([page.status, locationOf(page)]).to.deep.equal([400, undefined]);
      expect(page.text).to.include('The sign-in cannot go on');
    }
  });

  it('postLogout 200; getLoggedOutPage 200', async () => {
    const browser = on.browser();
    expect(
      (await browser.open(`${on.issuer}/logout`, { method: 'POST', form: { client_id: 'shop' } })).status,
    ).to.equal(200);
    expect((await browser.open(`${on.issuer}/logout/success`)).text).to.include('You are logged out');
  });
});

describe('getSignInAsset', () => {
  const on = new SignInFixture(signInOf({}));

  for (const [asset, type] of [
    ['sign-in.js', 'text/javascript'],
    ['sign-in.css', 'text/css'],
  ] as const)
    it(`200: ${asset}; 304 for its entity tag`, async () => {
      const { status, headers } = await on.server.call('getSignInAsset', { path: { asset } });
      expect([status, headers.get('content-type')]).to.deep.equal([200, `${type}; charset=utf-8`]);
      const again = { path: { asset }, headers: { 'if-none-match': headers.get('etag') ?? '' } };
      expect((await on.server.call('getSignInAsset', again)).status).to.equal(304);
    });
});
