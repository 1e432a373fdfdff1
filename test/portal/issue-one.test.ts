import { expect } from 'chai';
import { may } from '../actors/tenant.ts';
import { ISSUER } from '../actors/tenant-issuer.ts';
import { newWalletUser } from '../actors/wallet-user.ts';
import { type PortalPage, usePages } from '../support/portal/browser.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { atWork, forgetRefusals, useOffice } from '../support/portal/office.ts';
import { printed } from '../support/portal/paper.ts';
import { readQr, readQrIn } from '../support/portal/qr.ts';
import { makeIssuer, PORTRAIT } from '../support/portal/residents.ts';
import { wordsLeft } from '../support/portal/words.ts';

const ISSUE = '/#/office/acme.t1/issue';
/** What these pages say that is no text of a language: names, targets, formats and the links of offers. */
const DATA = [/^(– |Credenza – )?Credenza$/, /^t1$|^acme\.|^Resident card|^File |^openid-credential-offer:|^[0-9]{6}$/];
const PICTURE = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(PORTRAIT.split(',')[1] ?? '', 'base64') };

describe('issuing one card in the office', () => {
  const world = useOffice();
  const open = usePages(world);
  let clerk: string;
  before(async () => {
    await makeIssuer(world);
    clerk = await world.clerk([may('acme.t1')]);
  });

  /** Takes an offer into a new wallet; returns what the card says, as text. */
  async function taken(text: string, code?: string): Promise<string> {
    const holder = await newWalletUser(world.server);
    const { document } = await holder.accept(text, code);
    return document
      .split(/[~.]/)
      .map((part) => Buffer.from(part, 'base64url').toString())
      .join();
  }

  const fill = (page: PortalPage, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);

  it('I3, I4, O5: a card is filled in as form or JSON, a refused field is led to, and the offer goes to a wallet from the screen or from paper', async () => {
    const visitor = await atWork(await open(ISSUE), clerk);
    const { page } = visitor;
    await visitor.reads('Issue a card');
    await page.getByRole('link', { name: 'Resident card' }).first().click();
    await page.getByRole('heading', { name: 'Resident card' }).waitFor();
    await fill(page, 'File number', 'File 1');
    await fill(page, 'Recipient', 'ada@example.org');
    await visitor.click('Offer this card');
    await page.locator('[role=alert]:focus').waitFor();
    await expectAccessible(page);
    await page.getByRole('alert').getByRole('link', { name: 'Family name: is required' }).click();
    await page.getByLabel('Family name', { exact: true }).and(page.locator(':focus')).waitFor();
    expect(await page.getByLabel('Family name', { exact: true }).getAttribute('aria-invalid')).to.equal('true');
    await page.keyboard.type('Lovelace');
    await fill(page, 'Date of birth', '1990-12-10');
    await page.getByLabel('Portrait').setInputFiles(PICTURE);
    await page.getByRole('group', { name: 'Address' }).getByLabel('Street').fill('High Street 1');
    for (const [at, language] of ['en', 'fr', 'de'].entries()) {
      await visitor.click('Add to Languages');
      await fill(page, `Languages ${at + 1}`, language);
    }
    await visitor.click('Remove Languages 2');
    await page.getByLabel('The holder also types a transaction code').check();
    await page.getByLabel('The offer is valid for').selectOption('1 day');
    await visitor.click('JSON');
    const text = page.getByLabel('The same as JSON');
    const request = JSON.parse(await text.inputValue());
    expect(request).to.deep.equal({
      profileId: 'resident-card_dc-sd-jwt',
      authMethod: 'PRE_AUTHORIZED',
      reference: 'File 1',
      recipient: 'ada@example.org',
      runtimeOverrides: {
        credentialData: {
          family_name: 'Lovelace',
          birth_date: '1990-12-10',
          portrait: PORTRAIT,
          address: { street: 'High Street 1' },
          languages: ['en', 'de'],
        },
      },
      expiresInSeconds: 86_400,
      txCode: { input_mode: 'numeric', length: 6 },
    });
    await text.fill('{\n  "profileId": }');
    await visitor.click('Offer this card');
    await page.getByRole('alert').getByText('line 2, column 16').waitFor();
    request.runtimeOverrides.credentialData.family_name = 'Byron';
    await text.fill(JSON.stringify(request));
    await visitor.click('Form');
    expect(await page.getByLabel('Family name', { exact: true }).inputValue()).to.equal('Byron');
    await visitor.click('Offer this card');
    await visitor.reads('Offer of a card');
    const link = await readQr(page.getByRole('img', { name: 'QR code of the link below' }));
    expect(await page.locator('code.link').innerText()).to.equal(link);
    const code = await page.locator('p.large').first().innerText();
    expect(code).to.match(/^[0-9]{6}$/);
    const { pictures, texts } = await printed(page);
    expect(texts).to.have.length(2);
    expect(await readQrIn(pictures[0] ?? Buffer.alloc(0), page)).to.equal(link);
    expect(texts[0]).to.include('Resident card').and.include('File 1').and.not.include(code);
    expect(texts[1]).to.include(code).and.not.include('Scan this code');
    await page.reload();
    await visitor.reads('Offer of a card');
    expect(await page.locator('main').innerText()).not.to.include(code);
    expect(await taken(link, code))
      .to.include('Byron')
      .and.include('High Street 1');
    await page.getByText('The offer was used and is worth nothing now.').waitFor();
    expect(await page.getByRole('img').count()).to.equal(0);
    expect(await page.getByRole('log').getByRole('listitem').allInnerTexts()).to.deep.equal([
      'The offer was made',
      'A wallet looked at the offer',
      'The wallet got access',
      'The wallet got the credential',
      'The offer was closed',
    ]);
    await visitor.click('Show the issued card');
    await visitor.reads('Issued card');
    await page.getByText('ada@example.org').waitFor();
    await visitor.click('Issue again');
    await page.getByRole('heading', { name: 'Resident card' }).waitFor();
    expect(await page.getByLabel('File number', { exact: true }).inputValue()).to.equal('File 1');
    page.forgive(/ 40[01] /);
  });

  it('I9: an offer that expired says when, and is made again with the same data; who may not issue is not offered it', async () => {
    const page = await open(`${ISSUE}?type=resident-card_dc-sd-jwt&reference=File%202`);
    const visitor = await atWork(page, clerk);
    await page.getByRole('heading', { name: 'Resident card' }).waitFor();
    await fill(page, 'Family name', 'Hopper');
    await page.getByLabel('The offer is valid for').selectOption('5 minutes');
    await visitor.click('Offer this card');
    const shown = page.getByRole('img', { name: 'QR code of the link below' });
    const first = await readQr(shown);
    world.server.clock.advance(301_000);
    await page.clock.install({ time: Date.now() + 301_000 });
    await page.getByText(/^It was valid until \d\d:\d\d:\d\d\.$/).waitFor();
    expect(await page.getByRole('img').count()).to.equal(0);
    await expectAccessible(page);
    await visitor.click('Make a new one');
    await shown.waitFor();
    const second = await readQr(shown);
    expect(second).not.to.equal(first);
    expect(await taken(second)).to.include('Hopper');
    await page.evaluate("localStorage.setItem('language', 'en-XA')");
    for (const path of [new URL(page.url()).hash, ISSUE.slice(1), `${ISSUE.slice(1)}?type=resident-card_dc-sd-jwt`]) {
      await page.goto(`${world.url}/${path}`);
      await page.reload();
      await page.locator('main').getByText('Resident card').first().waitFor();
      const left = (await wordsLeft(page)).filter((text) => !DATA.some((one) => one.test(text)));
      expect(left, path).to.deep.equal([]);
    }
    const looker = await open('/#/office/acme.t1');
    await atWork(looker, await world.clerk([may(ISSUER, 'issued-credential-list')]));
    await looker.getByRole('link', { name: 'Issued' }).first().waitFor();
    expect(await looker.getByRole('link', { name: 'Issue', exact: true }).count()).to.equal(0);
    forgetRefusals(page);
    forgetRefusals(looker);
  });
});
