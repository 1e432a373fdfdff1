import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { CardWallet } from '../actors/card-wallet.ts';
import { blocksOf } from '../docs/tables.ts';
import { type PortalPage, usePages } from '../support/portal/browser.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { readQr } from '../support/portal/qr.ts';
import { useServer } from '../support/servers/server.ts';
import { freePort } from '../support/stores/redis.ts';

const CARD = 'https://types.example.org/card';
const EXAMPLE = 'examples/verify-button';

/** Runs a file of the example for the tests of the enclosing `describe`; opens pages of it. */
function useShop(file: string, server: { url: string }, issuer: () => string) {
  const shop = { url: '' };
  let running: ChildProcess;
  before(async () => {
    shop.url = `http://localhost:${await freePort()}`;
    const env = { PATH: process.env.PATH, CREDENZA: server.url, SITE: shop.url, VCT: CARD, ISSUER: issuer() };
    running = spawn(process.execPath, [`${EXAMPLE}/${file}`], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(running.stdout as NodeJS.ReadableStream, 'data');
  });
  after(async () => {
    running.kill();
    await once(running, 'exit');
  });
  /** The one file of the server that the shop's pages may load; they ask it for nothing else. */
  return { shop, open: usePages(shop, () => [`${server.url}/portal/verify-button.js`]) };
}

describe('the button for other web sites', () => {
  const server = useServer();
  let wallet: CardWallet;
  before(async () => {
    wallet = await CardWallet.with(CARD, { now: () => server.clock.now() });
  });

  const said = (page: PortalPage, text: string | RegExp) =>
    page.getByRole('status').filter({ hasText: text }).waitFor();

  /** Shows the QR code; returns the link in it. */
  async function scanned(page: PortalPage): Promise<string> {
    const picture = page.getByRole('img', { name: 'QR code for your wallet' });
    await picture.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show a QR code' }).press('Enter');
    await picture.waitFor();
    return readQr(picture);
  }

  /** Notes the events of the element. */
  const listen = (page: PortalPage) =>
    page.evaluate(`{
      globalThis.heard = [];
      for (const name of ['credenza-verified', 'credenza-ended'])
        document.addEventListener(name, ({ type, detail }) => heard.push({ type, ...detail }));
    }`);

  describe('of server.mjs', () => {
    const { shop, open } = useShop('server.mjs', server, () => wallet.issuer);

    it('a QR code is shown and followed, declined, refused and late answers are shown, then the code is redeemed, once', async () => {
      const page = await open();
      await listen(page);
      await page.emulateMedia({ forcedColors: 'active' });
      for (const button of await page.locator('credenza-verify > a, credenza-verify > button').all())
        expect((await button.boundingBox())?.height).to.be.at.least(44);
      await wallet.follow(await scanned(page), 'decline');
      await said(page, 'You declined. Nothing was shared.');
      const stranger = await CardWallet.with(CARD, { now: wallet.now, foreign: true });
      await stranger.follow(await scanned(page));
      await said(page, 'was not accepted');
      await scanned(page);
      await said(page, 'Scan the QR code with your wallet.');
      await expectAccessible(page);
      server.clock.advance(601_000);
      await said(page, 'The time is over. Begin again.');
      await page.evaluate(`document.querySelector('credenza-verify').removeAttribute('autosubmit')`);
      const link = await scanned(page);
      await wallet.follow(link);
      await said(page, 'Checked');
      const heard = await page.evaluate<{ type: string; reason?: string; responseCode?: string }[]>('heard');
      expect(heard.map(({ type, reason }) => [type, reason])).to.deep.equal([
        ['credenza-ended', 'declined'],
        ['credenza-ended', 'refused'],
        ['credenza-ended', 'expired'],
        ['credenza-verified', undefined],
      ]);
      const code = heard.at(-1)?.responseCode;
      const field = `new FormData(document.querySelector('form')).get('response_code')`;
      expect(await page.evaluate(field))
        .to.equal(code)
        .and.match(/^[\w-]{43}$/);
      const cookies = await page.context().cookies();
      expect(await page.evaluate('document.cookie')).to.equal('');
      expect(page.url()).to.equal(`${shop.url}/`);
      await page.evaluate(`document.querySelector('form').requestSubmit()`);
      await page.getByText('Welcome, Lovelace').waitFor();
      const again = await fetch(`${shop.url}/done?response_code=${code}`, {
        headers: { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
      });
      expect(again.status).to.equal(502);
    });

    it('without script the link leads to the wallet of the device, and the wallet leads back', async () => {
      const page = await open('/', { javaScriptEnabled: false });
      const [answer] = await Promise.all([
        page.waitForResponse(`${shop.url}/wallet`),
        page.getByRole('link', { name: 'Use the wallet of this device' }).click({ noWaitAfter: true }),
      ]);
      const link = (await answer.allHeaders()).location ?? '';
      expect(link).to.match(/^openid4vp:\/\//);
      page.forgive(/openid4vp:/);
      const back = (await wallet.follow(link)) ?? '';
      expect(back).to.match(new RegExp(`^${shop.url}/done\\?response_code=`));
      await page.goto(back);
      await page.getByText('Welcome, Lovelace').waitFor();
      const stranger = await open('/', { javaScriptEnabled: false });
      expect((await stranger.goto(back))?.status()).to.equal(502);
      stranger.forgive(/502/);
    });
  });

  describe('of digital.mjs', () => {
    const { shop, open } = useShop('digital.mjs', server, () => wallet.issuer);

    it('the browser is asked where it has the Digital Credentials API; the form is sent by itself; in German, with a text of the site', async () => {
      const page = await open();
      await page.exposeFunction('walletAnswers', (options: { digital: object }) => wallet.answer(options, shop.url));
      await page.addInitScript(`{
        globalThis.DigitalCredential = class {};
        let first = true;
        navigator.credentials.get = async ({ digital, mediation }) => {
          if (mediation !== 'required') throw new TypeError('mediation');
          if (first) throw ((first = false), new DOMException('No wallet', 'NotAllowedError'));
          return globalThis.walletAnswers({ digital });
        };
        document.addEventListener('readystatechange', () => {
          document.documentElement.lang = 'de-AT';
          document.querySelector('credenza-verify')?.setAttribute('text-qr', 'Mit dem Telefon');
        });
      }`);
      await page.reload();
      await page.getByRole('button', { name: 'Mit dem Telefon' }).waitFor();
      await page.getByRole('button', { name: 'Wallet dieses Browsers nutzen' }).click();
      await said(page, 'Keine Wallet hat geantwortet.');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Wallet dieses Browsers nutzen' }).click();
      await page.getByText('Welcome, Lovelace').waitFor();
    });
  });

  it('docs/verify-button.md shows this shop, which has 40 lines with its page', () => {
    const shown = readFileSync('docs/verify-button.md', 'utf8');
    const files = ['server.mjs', 'digital.mjs'].map((name) => readFileSync(`${EXAMPLE}/${name}`, 'utf8'));
    expect(blocksOf(shown, 'js')).to.deep.equal(files);
    expect(files[0]?.trimEnd().split('\n')).to.have.length.at.most(40);
  });
});
