import { expect } from 'chai';
import { may, PASSWORD, VERIFIER } from '../actors/tenant.ts';
import { ok } from '../actors/tenant-certificates.ts';
import { usePages } from '../support/portal/browser.ts';
import { Typist } from '../support/portal/keyboard.ts';
import { forgetRefusals, useOffice } from '../support/portal/office.ts';
import { makeIssuer, newResident, type Resident } from '../support/portal/residents.ts';
import { useServer } from '../support/servers/server.ts';

describe('the portal by keyboard', () => {
  const server = useServer();
  const open = usePages(server);

  it('X3: the tour is done with the keyboard alone; the focus is visible and lands on the heading of each page', async () => {
    const person = new Typist(await open());
    const { page } = person;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await person.press('Start: offer a card');
    await person.arrives('Offer of IdentityCredential');
    await person.press("Open in this browser's wallet");
    await person.arrives('Log in to your wallet');
    await person.press('Make an account for your wallet');
    await person.arrives('Make an account for your wallet');
    await person.type('Name', 'Ada');
    await person.type('E-mail address', 'keys@example.org');
    await person.type('Password', 'correct horse battery staple');
    await page.keyboard.press('Enter');
    page.forgive(/ 401 /);
    await person.arrives('A credential is offered to you');
    await page.getByRole('button', { name: 'Accept' }).waitFor();
    await person.press('Accept');
    await person.arrives('The credential is in your wallet');
    await person.press('Continue: show it to a shop');
    await person.arrives('Request for IdentityCredential');
    await person.press("Open in this browser's wallet");
    await person.arrives('You are asked for a credential');
    await page.getByRole('button', { name: 'Share' }).waitFor();
    await person.press('Share');
    await person.arrives('You shared it');
    await person.press('See what the shop sees');
    await person.arrives('Verified');
  });

  it('the skip link leads to the content and stays on the page', async () => {
    const person = new Typist(await open('/#/wallet/login'));
    const { page } = person;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await person.press('Go to the content');
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('MAIN');
    expect(page.url()).to.match(/#\/wallet\/login$/);
  });
});

describe('the office by keyboard', () => {
  const world = useOffice();
  const open = usePages(world);
  let resident: Resident;
  before(async () => {
    await makeIssuer(world);
    resident = await newResident(world, 'File 1');
    const [{ parsedDocument }] = (await resident.wallet.call('listWalletCredentials')).body;
    const query = { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: [parsedDocument.vct] } };
    const setup = { flow_type: 'cross_device', core_flow: { dcql_query: { credentials: [query] } } };
    await ok(world.post('createSavedCheck', `${VERIFIER}.readers`, { name: 'Readers', setup }), 201);
  });

  it('X3: a card is issued and checked at the counter with the keyboard alone, one person after the other', async () => {
    const clerk = new Typist(await open('/#/office/acme.t1'));
    const { page } = clerk;
    await page.getByRole('heading', { level: 1, name: 'Log in to the office' }).waitFor();
    await clerk.type('E-mail address', await world.clerk([may('acme.t1')]));
    await clerk.type('Password', PASSWORD);
    await page.keyboard.press('Enter');
    await clerk.arrives('Overview');
    await clerk.press('Issue');
    await clerk.arrives('Issue a card');
    await page.getByRole('link', { name: 'Resident card' }).first().waitFor();
    await clerk.press('Resident card');
    await page.getByRole('heading', { level: 2, name: 'Resident card' }).waitFor();
    await clerk.arrives('Issue a card');
    await clerk.type('Family name', 'Lovelace');
    await clerk.press('Offer this card');
    await clerk.arrives('Offer of a card');
    await resident.wallet.accept(await page.locator('code.link').innerText());
    await page.getByText('The offer was used and is worth nothing now.').waitFor();
    await clerk.press('Checks');
    await clerk.arrives('Checks');
    await clerk.press('Open the counter: Readers');
    await clerk.arrives('Readers');
    const link = () => page.locator('a[href*="present"]').getAttribute('href');
    for (const _ of ['one', 'another']) {
      const request = new URLSearchParams((await link())?.split('?')[1]).get('request') ?? '';
      expect(await resident.answer(request)).to.equal(200);
      await page.getByRole('button', { name: 'Next person' }).and(page.locator(':focus')).press('Enter');
    }
    await page.getByRole('img', { name: 'QR code for your wallet' }).waitFor();
    await clerk.press('Leave the counter');
    await clerk.arrives('Checks');
    forgetRefusals(page);
  });
});
