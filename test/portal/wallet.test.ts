import { expect } from 'chai';
import encodeQR from 'qr';
import { statusEntry } from '../../demo/actors/status-list.ts';
import { startIssuer, type TestIssuer } from '../actors/issuer.ts';
import { issueCredential, jwkParty } from '../actors/party.ts';
import type { WalletUser } from '../actors/wallet-user.ts';
import { usePages } from '../support/portal/browser.ts';
import { closeCamera, showToCamera } from '../support/portal/camera.ts';
import { holderOn, receiving } from '../support/portal/holder.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { Visitor } from '../support/portal/walk.ts';
import { undisturbedMs } from '../support/runs/undisturbed.ts';
import { useServer } from '../support/servers/server.ts';
import { type ListHost, listClaims, listHost } from '../support/status/status-lists.ts';

const DAY = 86_400_000;
/** More credentials than two pages have. */
const MANY = 60;
const PASSWORD = 'correct horse battery staple';

const pictureOf = (text: string): Buffer => Buffer.from(encodeQR(text, 'gif', { scale: 4, border: 4 }));

/** What a browser answers whose reader refuses the camera: Chromium without a window always has leave for its camera. */
const NO_CAMERA = `navigator.mediaDevices.getUserMedia = async () => {
  throw new DOMException('Permission denied', 'NotAllowedError');
}`;

describe('the wallet in the portal', () => {
  const server = useServer({ outboundTimeoutMs: 1500 });
  const open = usePages(server);
  let issuer: TestIssuer;
  let lists: ListHost;
  before(async () => {
    [issuer, lists] = [await startIssuer(), await listHost()];
  });
  after(() => Promise.all([issuer.close(), lists.close(), closeCamera()]));

  /** Puts credentials into a wallet whose states, for who looks a day later, are these. */
  const withStates = async (holder: WalletUser): Promise<void> => {
    const party = await jwkParty();
    const publish = async (statusPurpose: string): Promise<string> =>
      lists.publish(
        await party.sign(listClaims({ did: party.did, set: [7], subject: { statusPurpose } }), { typ: undefined }),
      );
    const soon = new Date(server.clock.now() + DAY / 2).toISOString();
    const states = [
      ['Ticket', { expirationDate: `${soon.slice(0, 19)}Z` }],
      ['Licence', { credentialStatus: statusEntry(await publish('revocation'), 7) }],
      ['Badge', { credentialStatus: statusEntry(await publish('suspension'), 7, { statusPurpose: 'suspension' }) }],
      ['Pass', { credentialStatus: statusEntry(await publish('revocation'), 8) }],
      ['Membership', { credentialStatus: statusEntry(`${lists.url}/none`, 8) }],
    ] as const;
    for (const [type, vc] of states) {
      const jwt = await issueCredential(party, { ...party, did: holder.did }, { type, vc });
      const { status, body } = await holder.call('importWalletCredential', {
        json: { jwt, associated_did: holder.did },
      });
      expect(status, JSON.stringify(body)).to.equal(201);
    }
  };

  it('W1, W3, W14: registering leads into an empty wallet; logging out in one tab ends the other, which comes back after a login', async () => {
    const visitor = new Visitor(await open('/#/wallet/register'));
    const { page } = visitor;
    for (const [label, autocomplete] of [
      ['Name', 'name'],
      ['E-mail address', 'username'],
      ['Password', 'new-password'],
    ] as const)
      expect(await page.getByLabel(label, { exact: true }).getAttribute('autocomplete')).to.equal(autocomplete);
    await visitor.type('Name', 'Ada');
    await visitor.type('E-mail address', 'w1@example.org');
    await page.getByLabel('Password').focus();
    await page.evaluate(
      `document.activeElement.dispatchEvent(new ClipboardEvent('paste', { cancelable: true, bubbles: true }))
        && document.execCommand('insertText', false, '${PASSWORD}')`,
    );
    expect(await page.getByLabel('Password').inputValue()).to.equal(PASSWORD);
    await visitor.click('Make the account');
    await visitor.reads('Your wallet');
    await page.getByText('No credentials yet.').waitFor();
    await expectAccessible(page);
    const other = await page.beside('/#/wallet/keys');
    await other.getByText('did:').first().waitFor();
    await visitor.click('Log out');
    await visitor.reads('Log in to your wallet');
    await other.getByRole('link', { name: 'History' }).click();
    await other.getByRole('heading', { level: 1, name: 'Your login has ended' }).waitFor();
    await expectAccessible(other);
    expect(await other.locator('main').innerText()).to.not.include('did:');
    other.forgive(/ 401 /);
    const second = new Visitor(other);
    await second.type('E-mail address', 'w1@example.org');
    await second.type('Password', PASSWORD);
    await other.getByRole('button', { name: 'Log in' }).click();
    await second.reads('History of your wallet');
    expect(other.url()).to.match(/#\/wallet\/log$/);
    await other.getByText('Nothing yet.').waitFor();
  });

  it('W4, W13: states are words; the list is filtered; deleting asks first; the history has it page by page', async () => {
    const visitor = new Visitor(await open());
    const { page } = visitor;
    await page.clock.setFixedTime(server.clock.now() + DAY);
    const holder = await holderOn(page, server, '/wallet/log');
    await withStates(holder);
    await page.goto(`${server.url}/#/wallet`);
    const card = (name: string) => page.locator('.cards > li').filter({ hasText: name });
    /** The browser's own line for the list that cannot be fetched. */
    const forgiveUnknown = async (): Promise<void> => {
      await card('Membership').getByText('The status could not be checked').first().waitFor();
      page.forgive(/ 502 /);
    };
    await forgiveUnknown();
    for (const [name, state] of [
      ['Ticket', 'Expired'],
      ['Licence', 'Revoked'],
      ['Badge', 'Suspended'],
      ['Pass', 'Valid'],
    ] as const) {
      const word = card(name).locator('.state').last();
      await word.getByText(state).waitFor();
      expect(await word.locator('[aria-hidden]').innerText()).to.have.length.above(0);
    }
    expect(await card('Ticket').innerText()).to.match(/Expired on \d+ \w+ \d{4}/);
    await visitor.type('Find a credential', 'zebra');
    await page.getByText('Nothing matches ‘zebra’.').waitFor();
    await expectAccessible(page);
    await visitor.click('Clear the filter');
    await forgiveUnknown();
    await visitor.type('Find a credential', 'lic');
    await card('Pass').waitFor({ state: 'detached' });
    await card('Licence').getByRole('link').click();
    await visitor.reads('Licence');
    await page.locator('h1:focus').waitFor();
    await page.getByText('BachelorDegree').waitFor();
    await expectAccessible(page);
    await visitor.click('Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete Licence?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await visitor.click('Delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await visitor.reads('Your wallet');
    await card('Pass').waitFor();
    expect(await card('Licence').count()).to.equal(0);
    await forgiveUnknown();
    for (let n = 0; n < 16; n += 1) {
      const { body } = await holder.call('listWalletCredentials');
      await holder.call('deleteWalletCredential', { path: { credentialId: body[0].id } });
      await holder.call('restoreWalletCredential', { path: { credentialId: body[0].id } });
    }
    await page.getByRole('link', { name: 'History' }).click();
    const rows = page.locator('tbody tr');
    await rows.nth(19).waitFor();
    expect(await rows.count()).to.equal(20);
    expect(await rows.first().innerText()).to.match(/\d{4}, \d\d:\d\d\s+Deleted\s+Ticket/);
    await visitor.click('Older');
    await rows.nth(2).waitFor({ state: 'detached' });
    await rows.nth(1).waitFor();
    expect(await rows.count()).to.equal(2);
    await page.goBack();
    await rows.nth(19).waitFor();
  });

  it('W4: of many credentials a page is one request, a search reads the others, and each status is asked for once', async () => {
    const page = await open();
    const holder = await holderOn(page, server, '/wallet/log');
    const party = await jwkParty();
    const list = await lists.publish(
      await party.sign(listClaims({ did: party.did, set: [], subject: { statusPurpose: 'revocation' } }), {
        typ: undefined,
      }),
    );
    for (let at = 0; at < MANY; at += 1) {
      const more = { type: at === 0 ? 'Oldest' : `Card${at}`, vc: { credentialStatus: statusEntry(list, at) } };
      const jwt = await issueCredential(party, { ...party, did: holder.did }, more);
      await holder.call('importWalletCredential', { json: { jwt, associated_did: holder.did } });
    }
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const count = (pattern: RegExp) => asked.filter((url) => pattern.test(url)).length;
    const cards = page.locator('.cards > li');
    await page.goto(`${server.url}/#/wallet`);
    await cards.nth(23).getByText('Valid').first().waitFor();
    expect([await cards.count(), count(/credentials\?/)]).to.deep.equal([24, 1]);
    await page.getByRole('button', { name: 'Show more' }).click();
    await cards.nth(47).getByText('Valid').first().waitFor();
    expect([await cards.count(), count(/credentials\?/)]).to.deep.equal([48, 2]);
    await page.getByLabel('Find a credential').fill('oldest');
    await cards.filter({ hasText: 'Oldest' }).getByText('Valid').first().waitFor();
    expect([await cards.count(), count(/credentials\?/)]).to.deep.equal([1, 3]);
    await page.getByLabel('Find a credential').fill('');
    await page.getByText(`${MANY} credentials`).waitFor();
    await cards.nth(47).getByText('Valid').first().waitFor();
    expect(count(/\/status$/)).to.equal(49);
  });

  it('W5, W6: an offer names host and claims; a code has its length and keyboard, and after a wrong one another is typed', async () => {
    issuer.behaviour.txCode = '4711';
    const page = await open();
    const visitor = new Visitor(page);
    const holder = await holderOn(page, server, receiving(issuer.link()));
    await page.getByText(new URL(issuer.issuer).host).waitFor();
    const field = page.getByLabel('Code from the issuer');
    expect(
      await Promise.all(['inputmode', 'maxlength', 'autocomplete'].map((name) => field.getAttribute(name))),
    ).to.deep.equal(['numeric', '4', 'one-time-code']);
    await page.getByText('4 digits; you got it apart from the offer.').waitFor();
    await expectAccessible(page);
    const asked = () => issuer.peer.count('/issuer/credential');
    const [tokens, before] = [issuer.peer.count('/issuer/token'), asked()];
    expect(tokens).to.equal(0);
    await field.fill('1234');
    await visitor.click('Accept');
    await page.locator('[role=alert]:focus').waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('alert').first().innerText()).to.include('Wrong transaction code');
    page.forgive(/ 400 /);
    await page.getByRole('alert').first().getByRole('link').click();
    await page.locator('#code:focus').fill('4711');
    expect(asked()).to.equal(before);
    await visitor.click('Accept');
    await visitor.reads('The credential is in your wallet');
    expect(asked()).to.equal(before + 1);
    const { body } = await holder.call('listWalletEvents', { query: { filter: 'action=Receive' } });
    expect(body.items).to.have.length(1);
    issuer.behaviour.txCode = undefined;
  });

  it('W7: a code before the camera opens the offer within 3 s; without permission, a picture and the link do', async () => {
    await showToCamera(issuer.link());
    const page = await open();
    const visitor = new Visitor(page);
    await holderOn(page, server, '/wallet/add');
    await visitor.reads('Add an offer or answer a request');
    const ms = await undisturbedMs(async () => {
      await visitor.click('Open the camera');
      await visitor.reads('A credential is offered to you');
    });
    expect(ms).to.be.below(3000);
    await page.getByText(new URL(issuer.issuer).host).waitFor();
    await page.evaluate(NO_CAMERA);
    await page.goto(`${server.url}/#/wallet/add`);
    await visitor.click('Open the camera');
    await page.getByText('The camera cannot be used').waitFor();
    await expectAccessible(page);
    await visitor.type('Link', 'https://example.org/');
    await visitor.click('Continue');
    await page.locator('#link:focus').waitFor();
    await page.getByText('This is no link of an offer or of a request.').waitFor();
    await expectAccessible(page);
    const picture = page.getByLabel('Picture of a code');
    await picture.setInputFiles({ name: 'none.png', mimeType: 'image/png', buffer: await page.screenshot() });
    await page.getByText('There is no code in this picture that can be read.').waitFor();
    await picture.setInputFiles({ name: 'code.gif', mimeType: 'image/gif', buffer: pictureOf(issuer.link()) });
    await visitor.reads('A credential is offered to you');
    await page.goBack();
    await visitor.type('Link', ` ${issuer.link()} `);
    await visitor.click('Continue');
    await visitor.reads('A credential is offered to you');
  });
});
