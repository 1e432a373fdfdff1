import { expect } from 'chai';
import type { BrowserContextOptions } from 'playwright-core';
import { CALLBACK, clientCredentials } from '../actors/relying-party.ts';
import { cardProfile, clientOf, SignInFixture, signInOf } from '../actors/sign-in.ts';
import { newWalletUser, type WalletUser } from '../actors/wallet-user.ts';
import { type PortalPage, usePages } from '../support/portal/browser.ts';
import { allFindingsOf, lookFirst, watchLooks } from '../support/portal/looks.ts';
import { readQr } from '../support/portal/qr.ts';
import { freePort } from '../support/stores/redis.ts';

const HOSTILE = '"><img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>';
const shop = await clientCredentials('none');

/** The path of a request of the shop. */
const asked = (more: Record<string, string> = {}): string =>
  `/sign-in/authorize?${new URLSearchParams({
    ...{ client_id: 'shop', response_type: 'code', scope: 'openid', redirect_uri: CALLBACK, state: 's' },
    ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
    ...more,
  })}`;

/** What the browser is sent back to the shop with, which does not exist, after `act`. */
async function back(page: PortalPage, act: () => Promise<unknown>): Promise<URLSearchParams> {
  const [request] = await Promise.all([page.waitForRequest(/^https:\/\/shop\.example\.org\//), act()]);
  page.forgive(/shop\.example\.org/);
  return new URL(request.url()).searchParams;
}

describe('the pages of a sign-in', () => {
  const on = new SignInFixture(
    signInOf(
      {
        shop: clientOf(shop, { postLogoutRedirectUris: ['https://shop.example.org/'] }),
        hostile: clientOf(shop, { name: `${HOSTILE}${'W'.repeat(20)}`, profiles: ['hostile'] }),
      },
      {
        card: cardProfile({ purpose: 'So that your orders are yours' }),
        hostile: cardProfile({ purpose: `</main>${HOSTILE}${'W'.repeat(200)}` }),
      },
    ),
  );
  const open = usePages(on.server);

  const begin = (more: Record<string, string> = {}, options: BrowserContextOptions = {}): Promise<PortalPage> =>
    open(asked(more), options);

  const codeOn = (page: PortalPage): Promise<string> => readQr(page.getByRole('img'));
  const says = (page: PortalPage, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

  async function expectGoodLooks(page: PortalPage): Promise<void> {
    await watchLooks(page);
    expect(await allFindingsOf(page)).to.deep.equal([]);
    await lookFirst(page);
  }

  it('the page follows its wallet by itself, looks good in each state, and goes back with a code', async () => {
    const page = await begin();
    await page.getByRole('heading', { name: 'Sign in to Shop' }).waitFor();
    await expectGoodLooks(page);
    await on.wallet.follow(await codeOn(page), 'decline');
    await says(page, 'Your wallet declined. Nothing was shown.');
    await expectGoodLooks(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await says(page, 'Waiting for your wallet.');
    const link = await codeOn(page);
    await fetch(new URL(link).searchParams.get('request_uri') ?? '');
    await says(page, 'Your wallet has the request.');
    await expectGoodLooks(page);
    expect((await back(page, () => on.wallet.follow(link))).get('code')).to.match(/^[\w-]{20,}$/);
  });

  it('with the keyboard alone: each control is reached in its order and is seen, and the sign-in is cancelled', async () => {
    const page = await begin();
    const reached: string[] = [];
    for (const _ of [1, 2]) {
      await page.keyboard.press('Tab');
      const [name, outline] = await page.evaluate<[string, string]>(
        '[document.activeElement.textContent, getComputedStyle(document.activeElement).outlineStyle]',
      );
      reached.push(name);
      expect(outline).to.equal('solid');
    }
    expect(reached).to.deep.equal(['Open the wallet on this device', 'Cancel and go back']);
    expect((await back(page, () => page.keyboard.press('Enter'))).get('error')).to.equal('access_denied');
  });

  it('without script it is loaded anew until the end; in German', async () => {
    const page = await begin({}, { javaScriptEnabled: false, locale: 'de-DE' });
    await page.getByRole('heading', { name: 'Bei Shop anmelden' }).waitFor();
    const link = await codeOn(page);
    expect((await back(page, () => on.wallet.follow(link))).get('state')).to.equal('s');
  });

  it('a hostile name and purpose are texts, and stay on a page of 320 px', async () => {
    const page = await begin({ client_id: 'hostile' });
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    await expectGoodLooks(page);
    expect(await page.evaluate('globalThis.ran')).to.equal(undefined);
    expect(await page.locator('main script, main img[src=x]').count()).to.equal(0);
  });

  it('what is no open sign-in says so: another browser, a wrong request, logging out', async () => {
    const [first, other] = [await begin(), await open('/livez')];
    await other.goto(first.url());
    await other.getByRole('heading', { name: 'This sign-in is over' }).waitFor();
    await expectGoodLooks(other);
    await other.goto(`${on.server.url}${asked({ client_id: 'unknown' })}`);
    await other.getByRole('heading', { name: 'The sign-in cannot go on' }).waitFor();
    other.forgive(/40[04]/);
    await expectGoodLooks(other);
    const link = await codeOn(first);
    await back(first, () => on.wallet.follow(link));
    const page = await first.beside('/sign-in/logout?client_id=shop');
    await page.getByRole('heading', { name: 'Log out of Shop?' }).waitFor();
    await expectGoodLooks(page);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'You are logged out' }).waitFor();
    await expectGoodLooks(page);
  });
});

/** Pages without https ask the wallet of their browser on this host only. */
const LOCAL = `http://localhost:${await freePort()}`;

describe('a sign-in with a wallet on the device of the browser', () => {
  const source = { query: 'card', path: ['family_name'] };
  const profile = cardProfile({
    dcqlQuery: {
      credentials: [
        {
          ...{ id: 'card', format: 'dc+sd-jwt', claims: [{ path: ['family_name'] }] },
          meta: { vct_values: [`${LOCAL}/openid4vci/IdentityCredential`] },
        },
      ],
    },
    claims: { family_name: { ...source, required: true, transform: 'none', list: false } },
    flows: ['same_device', 'dc_api'],
    encryptedResponse: true,
  });
  const settings = { publicUrl: LOCAL, port: Number(new URL(LOCAL).port) };
  const on = new SignInFixture(signInOf({ shop: clientOf(shop) }, { card: profile }), { settings });
  const open = usePages({ url: LOCAL });
  let wallet: WalletUser;
  let selectedCredentials: string[];
  before(async () => {
    wallet = await newWalletUser(on.server);
    const json = { profileId: 'IdentityCredential_dc-sd-jwt', authMethod: 'PRE_AUTHORIZED' };
    const { credentialOffer } = (await on.server.call('createCredentialOffer', { json })).body;
    selectedCredentials = [(await wallet.accept(credentialOffer)).id];
  });

  /** What our wallet answers to a page. */
  const answerTo = async ({ requests: [request] }: { requests: object[] }) => {
    const json = { origin: LOCAL, ...request };
    const { consent } = (await wallet.call('describePageRequest', { json })).body;
    return (await wallet.call('answerPageRequest', { json: { ...json, selectedCredentials, consent } })).body;
  };

  it('the script asks the browser, says where no wallet answers, posts the answer, and goes back with a code', async () => {
    const page = await open('/livez');
    await page.exposeFunction('walletAnswers', answerTo);
    await page.addInitScript(`{
      globalThis.DigitalCredential = class {};
      let first = true;
      navigator.credentials.get = async ({ digital, mediation }) => {
        if (mediation !== 'required') throw new TypeError('mediation');
        if (first) throw ((first = false), new DOMException('No wallet', 'NotAllowedError'));
        return globalThis.walletAnswers(digital);
      };
    }`);
    await page.goto(`${LOCAL}${asked()}`);
    const button = page.getByRole('button', { name: 'Use the wallet of this browser' });
    await button.click();
    await page.getByText('No wallet answered.').waitFor();
    expect((await back(page, () => button.click())).get('code')).to.match(/^[\w-]{20,}$/);
  });

  it('a browser that cannot ask wallets has no button; the link opens one, which leads this browser back', async () => {
    const page = await open('/livez');
    await page.addInitScript('delete globalThis.DigitalCredential');
    await page.goto(`${LOCAL}${asked()}`);
    expect(await page.getByRole('button').allInnerTexts()).to.deep.equal(['Cancel and go back']);
    const name = 'Open the wallet on this device';
    const [opened] = await Promise.all([
      page.waitForResponse(/\/wallet$/),
      page.getByRole('link', { name }).click({ noWaitAfter: true }),
    ]);
    const { location: presentationRequest } = await opened.allHeaders();
    page.forgive(/openid4vp:/);
    const { body } = await wallet.call('presentCredentials', { json: { presentationRequest, selectedCredentials } });
    const stranger = await open('/livez');
    await stranger.goto(body.redirectUri);
    await stranger.getByRole('heading', { name: 'This sign-in is over' }).waitFor();
    stranger.forgive(/404/);
    expect((await back(page, () => page.goto(body.redirectUri).catch(() => undefined))).get('code')).to.match(/./);
  });
});
