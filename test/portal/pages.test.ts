import { expect } from 'chai';
import { usePages } from '../support/portal/browser.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { readQr } from '../support/portal/qr.ts';
import { showCard, takeCard, Visitor } from '../support/portal/walk.ts';
import { useServer } from '../support/servers/server.ts';

const PHONE = 'How it works with a phone';
const LOOPBACK = /A phone cannot reach this address/;

describe('pages of the portal', () => {
  const server = useServer();
  const open = usePages(server);

  it('S1: the start shows the tour, the services that run and a link to the API page', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'See it work in a minute' }).waitFor();
    expect(await page.locator('main').innerText()).to.include(
      'wallet, wallet2, issuer, verifier, status, enterprise, portal, signin',
    );
    await page.locator('main').getByRole('link', { name: 'API page' }).click();
    await page.waitForURL('**/docs');
  });

  it('S1: with script switched off it shows a sentence and that link', async () => {
    const page = await open('/', { javaScriptEnabled: false });
    expect(await page.locator('noscript').innerText()).to.match(/need JavaScript/);
    expect(await page.locator('noscript a').getAttribute('href')).to.equal('docs');
  });

  it('S3, I5: the QR code, read back, is the link that is shown and copied; the page says that a phone does not reach it', async () => {
    const page = await open('/', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Start: offer a card' }).click();
    const picture = page.getByRole('img', { name: 'QR code' });
    const link = await page.locator('code.link').innerText();
    expect(await readQr(picture)).to.equal(link);
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(link);
    expect(await page.getByRole('link', { name: 'Open a wallet app' }).getAttribute('href')).to.equal(link);
    await page.getByText(LOOPBACK).waitFor();
    await page.getByRole('link', { name: PHONE }).waitFor();
    await page.getByRole('link', { name: 'Start', exact: true }).click();
    await page.getByRole('heading', { name: 'See it work in a minute' }).waitFor();
    await page.getByRole('link', { name: PHONE }).waitFor();
    await page.getByRole('button', { name: 'Ask for the card' }).click();
    await page.getByRole('heading', { level: 1, name: 'Request for' }).waitFor();
    await page.getByText(LOOPBACK).waitFor();
    await page.getByRole('link', { name: PHONE }).click();
    await page.getByRole('heading', { level: 1, name: 'With a phone' }).waitFor();
    await expectAccessible(page);
    const links = await page.locator('main a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links.filter((href) => !href.startsWith('https://'))).to.deep.equal([]);
  });

  it('I9: an expired offer says until when it was valid, and is made anew without typing', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Start: offer a card' }).click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    server.clock.advance(301_000);
    await page.reload();
    await page.getByText(/It was valid until \d\d:\d\d:\d\d\./).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make a new one' }).click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
  });

  it('W1, W5: a wrong login does not say which part is wrong; an offer is shown before anything is asked of its issuer', async () => {
    const visitor = new Visitor(await open());
    const { page } = visitor;
    await visitor.click('Start: offer a card');
    const sessionId = await page
      .waitForURL(/issue\/session/)
      .then(() => /session\/([^?]+)/.exec(page.url())?.[1] ?? '');
    await visitor.click("Open in this browser's wallet");
    await visitor.type('E-mail address', 'unknown@example.org');
    await visitor.type('Password', 'not the password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('E-mail address or password is not right.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Make an account' }).click();
    await visitor.type('Name', 'Ada');
    await visitor.type('E-mail address', 'w5@example.org');
    await visitor.type('Password', 'correct horse battery staple');
    await visitor.click('Make the account');
    page.forgive(/ 401 /);
    await page.getByText('Offered by').waitFor();
    const text = await page.locator('main').innerText();
    for (const part of [new URL(server.url).host, 'Identity Credential']) expect(text).to.include(part);
    const { body } = await server.call('getIssuanceSession', { path: { sessionId } });
    expect(body).to.include({ status: 'ACTIVE', issued: 0 });
  });

  it('V2, V3, X8: the result stays after a reload, with one row for each check; the browser keeps theme and language only', async () => {
    const visitor = new Visitor(await open());
    const { page } = visitor;
    await takeCard(visitor, 'v2@example.org');
    await showCard(visitor);
    const sessionId = /session\/([^?]+)/.exec(page.url())?.[1] ?? '';
    const { body } = await server.call('getVerificationSession', { path: { sessionId } });
    const { vc_policies, vp_policies } = body.policy_results;
    const all = vc_policies.length + Object.values<object>(vp_policies).flatMap((checks) => Object.keys(checks)).length;
    await page.reload();
    await visitor.reads(/^Verified$/);
    expect(await page.locator('.checks li').count())
      .to.equal(all)
      .and.be.greaterThan(3);
    expect(await page.locator('.bad-word').count()).to.equal(0);
    await page.locator('header').getByRole('link', { name: 'Wallet' }).click();
    await page.locator('.card').waitFor();
    await page.getByLabel('Colours').selectOption('Dark');
    expect(await page.evaluate('[Object.keys(localStorage), Object.keys(sessionStorage)]')).to.deep.equal([
      ['theme'],
      [],
    ]);
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).to.deep.equal([
      { name: 'login', httpOnly: true, sameSite: 'Strict' },
    ]);
  });

  it('V4, V6, W9, W10: another issuer is "Not verified" with the failed check first and advice; who declines shares nothing', async () => {
    const visitor = new Visitor(await open());
    const { page } = visitor;
    await takeCard(visitor, 'v4@example.org');
    const asked = await server.call('createVerificationSession', {
      json: askingOf(server.url, 'did:web:other.example.org'),
    });
    await page.goto(`${server.url}/#/verify/session/${asked.body.sessionId}`);
    await visitor.click("Open in this browser's wallet");
    await page.getByText('You keep').waitFor();
    const [shared = '', kept = ''] = await page
      .locator('.panel .summary')
      .allInnerTexts()
      .then((texts) => [texts[1], texts.at(-1)]);
    expect(shared).to.match(/^Family name\s+Example$/);
    expect(kept).to.include('Date of birth').and.include('Given name');
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('alert').waitFor();
    page.forgive(/ 40\d | 502 /);
    await page.goto(`${server.url}/#/verify/session/${asked.body.sessionId}`);
    await visitor.reads('Not verified');
    const rows = await page.locator('.checks').first().getByRole('listitem').allInnerTexts();
    expect(rows[0])
      .to.match(/Failed/)
      .and.match(/What to do: /);
    expect(rows.slice(1).filter((row) => /Failed/.test(row))).to.deep.equal([]);
    expect(await page.locator('.notice.good').count()).to.equal(0);
    await page.getByRole('button', { name: 'Ask again' }).click();
    await visitor.reads('Request for IdentityCredential');
    const request = page.url();
    await visitor.click("Open in this browser's wallet");
    await visitor.click('Decline');
    await visitor.reads('Nothing was shared');
    await expectAccessible(page);
    await page.goto(request);
    await visitor.reads('The holder declined');
  });
});

/** A request for the card of the tour from one issuer. */
const askingOf = (url: string, issuer: string) => ({
  flow_type: 'cross_device',
  core_flow: {
    dcql_query: {
      credentials: [
        {
          id: 'card',
          format: 'dc+sd-jwt',
          meta: { vct_values: [`${url}/openid4vci/IdentityCredential`] },
          claims: [{ path: ['family_name'] }],
        },
      ],
    },
    policies: {
      vc_policies: ['signature'],
      specific_vc_policies: { card: [{ policy: 'allowed-issuer', allowed_issuer: issuer }] },
    },
  },
});
