import { expect } from 'chai';
import { may, mayNot } from '../actors/tenant.ts';
import { createIssuer, ISSUER } from '../actors/tenant-issuer.ts';
import { type PortalPage, usePages } from '../support/portal/browser.ts';
import { Typist } from '../support/portal/keyboard.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { atWork, forgetRefusals, useOffice } from '../support/portal/office.ts';

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const TYPES = '/#/office/acme.t1/types';

describe('credential types in the office', () => {
  const world = useOffice();
  const open = usePages(world);
  let clerk: string;
  before(async () => {
    await createIssuer(world, { supportedCredentialTypes: {}, profiles: {} });
    clerk = await world.clerk([may('acme.t1'), mayNot('acme.t1.verifier1')]);
  });
  const stored = async (typeId: string) =>
    (await world.server.call('getTenantCredentialType', { path: { target: ISSUER, typeId }, token: world.root })).body;

  /** An entry of the list of claims, by its place. */
  const entry = (page: PortalPage, at: number) => page.locator('fieldset.claim').nth(at - 1);

  it('O3: a type with a picture, a group, a list and two languages is made, shown as a card with the right words', async () => {
    const visitor = await atWork(await open(TYPES), clerk);
    const { page } = visitor;
    await visitor.reads('Types of cards');
    await page.getByText('No type yet.').waitFor();
    await visitor.click('Make a type');
    await visitor.reads('Make a type');
    await visitor.type('Name (English)', 'Resident card');
    await page.getByLabel('Another language').selectOption('de');
    await visitor.click('Add the language');
    await visitor.type('Name (German)', 'Meldekarte');
    await entry(page, 1).getByLabel('What it is called (English)').fill('Family name');
    await entry(page, 1).getByLabel('What it is called (German)').fill('Nachname');
    await entry(page, 1).getByLabel('Example').fill('Example');
    for (const [name, kind] of [
      ['Portrait', 'picture'],
      ['Address', 'object'],
      ['Languages', 'list'],
    ] as const) {
      await page.getByRole('button', { name: 'Add an entry', exact: true }).click();
      const last = page.locator('fieldset.claim').last();
      await last.getByLabel('What it is called (English)').fill(name);
      await last.getByLabel('Kind', { exact: true }).selectOption(kind);
    }
    await entry(page, 2).getByLabel('Example').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PIXEL });
    await page.getByRole('button', { name: 'Add an entry inside Address' }).click();
    await entry(page, 4).getByLabel('What it is called (English)').fill('Moved in');
    await entry(page, 4).getByLabel('Kind', { exact: true }).selectOption('date');
    await entry(page, 3).getByLabel('Holders always show it').check();
    await visitor.click('Move Portrait up');
    await page.getByLabel('Own colours').check();
    await page.getByLabel('Colour of the text').fill('#0b4f8b');
    await page.getByText('hard to read').waitFor();
    await page.getByLabel('Colour of the text').fill('#ffffff');
    await page.getByText('easy to read').waitFor();
    await page.getByLabel('Logo').setInputFiles({ name: 'x.txt', mimeType: 'text/plain', buffer: PIXEL });
    await page.getByText('This file is no PNG').waitFor();
    await page.getByLabel('Logo').setInputFiles({ name: 'l.png', mimeType: 'image/png', buffer: PIXEL });
    await page.getByLabel('The card in a wallet').getByText('Resident card').waitFor();
    await page.getByLabel('W3C credential').check();
    await page.getByLabel('Days that a card is valid').fill('365');
    await expectAccessible(page);
    await visitor.click('Make this type');
    await page.getByText('Resident card is ready').waitFor();
    await visitor.reads('Type of card');
    expect(await page.locator('.card').innerText()).to.include('Resident card');
    expect(await page.getByRole('table').first().innerText()).to.include('Family name');
    const { claims, display, card, formats, validityDays } = await stored('resident-card');
    expect(display.map(({ name }: { name: string }) => name)).to.deep.equal(['Resident card', 'Meldekarte']);
    expect(claims.map(({ path, type }: { path: string[]; type: string }) => [path.join('.'), type])).to.deep.equal([
      ['portrait', 'picture'],
      ['family_name', 'text'],
      ['address', 'object'],
      ['address.moved_in', 'date'],
      ['languages', 'list'],
    ]);
    expect(claims[1]).to.deep.include({
      label: [
        { locale: 'en', name: 'Family name' },
        { locale: 'de', name: 'Nachname' },
      ],
      mandatory: true,
      example: 'Example',
    });
    expect([claims[2].disclosure, formats, validityDays]).to.deep.equal(['always', ['dc+sd-jwt', 'jwt_vc_json'], 365]);
    expect(card).to.include({ textColor: '#ffffff', logo: `data:image/png;base64,${PIXEL.toString('base64')}` });
    forgetRefusals(page);
  });

  it('I3, I4: form and JSON are one value; broken JSON is kept and named; what the server refuses leads to its field', async () => {
    const visitor = await atWork(await open('/#/office/acme.t1/new-type'), clerk);
    const { page } = visitor;
    await visitor.reads('Make a type');
    await visitor.type('Name (English)', 'Library card');
    await visitor.type('What it is called (English)', 'Status');
    await visitor.click('JSON');
    const text = page.getByLabel('The same as JSON');
    expect(JSON.parse(await text.inputValue())).to.deep.include({
      display: [{ locale: 'en', name: 'Library card' }],
      claims: [{ path: ['status'], type: 'text', mandatory: true, label: [{ locale: 'en', name: 'Status' }] }],
    });
    const broken = (await text.inputValue()).replace('"Library card"', '"Town library card",,');
    await text.fill(broken);
    await page.getByText('line 5, column').first().waitFor();
    for (const leave of ['Form', 'Make this type']) {
      await page.getByRole('button', { name: leave, exact: true }).click();
      await page.locator('[role=alert]:focus').waitFor();
      expect(await text.inputValue()).to.equal(broken);
    }
    await expectAccessible(page);
    await page.getByRole('alert').getByRole('link').click();
    await page.locator('textarea:focus').waitFor();
    await text.fill(broken.replace(',,', ''));
    await visitor.click('Make this type');
    await page.locator('[role=alert]:focus').waitFor();
    await page
      .getByRole('alert')
      .getByRole('link', { name: /claims.* must have another name/ })
      .click();
    await page.locator('textarea:focus').waitFor();
    await page.getByRole('button', { name: 'Form', exact: true }).click();
    expect(await page.getByLabel('Name (English)').inputValue()).to.equal('Town library card');
    await visitor.click('Make this type');
    await page.locator('[role=alert]:focus').waitFor();
    await page.getByRole('alert').getByRole('link', { name: 'must have another name' }).click();
    await page.locator('[id="/claims/0/path"]:focus').waitFor();
    expect(await page.locator('[id="/claims/0/path-wrong"]').innerText()).to.match(/must have another name/);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('standing');
    await visitor.click('Make this type');
    await page.getByText('Town library card is ready').waitFor();
    expect((await stored('town-library-card')).claims[0].path).to.deep.equal(['standing']);
    page.forgive(/ 40[01] /);
  });

  it('W3, X6: a login that ends while a type is made takes nothing of what was typed', async () => {
    const visitor = await atWork(await open('/#/office/acme.t1/new-type'), clerk);
    const { page } = visitor;
    await visitor.type('Name (English)', 'Kept card');
    await page.context().clearCookies();
    await visitor.click('Make this type');
    await visitor.reads('Your login has ended');
    await visitor.type('E-mail address', clerk);
    await visitor.type('Password', 'correct horse battery');
    await visitor.click('Log in');
    await visitor.reads('Make a type');
    expect(await page.getByLabel('Name (English)').inputValue()).to.equal('Kept card');
    forgetRefusals(page);
  });

  it('X3, L1: a type is copied and removed by keyboard, after a question that names it; who may only look is offered neither', async () => {
    await world.post('createCredentialType', ISSUER, {
      id: 'member',
      display: [{ locale: 'en', name: 'Member card' }],
      claims: [{ path: ['name'], type: 'text' }],
      formats: ['dc+sd-jwt'],
    });
    const page = await open('/#/office/acme.t1/types/member');
    await atWork(page, clerk);
    const person = new Typist(page);
    await page.getByRole('heading', { level: 1, name: 'Type of card' }).waitFor();
    await page.getByRole('link', { name: 'Make one like this' }).waitFor();
    await person.press('Make one like this');
    await person.arrives('Make a type');
    await page.getByLabel('Name (English)').waitFor();
    await person.tabTo('Name (English)');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Guest card');
    await person.press('Make this type');
    await page.getByText('Guest card is ready').waitFor();
    expect((await stored('guest-card')).claims).to.deep.equal([{ path: ['name'], type: 'text' }]);
    await person.press('Remove this type');
    await page.getByRole('dialog', { name: 'Remove Guest card?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove this type' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Types of cards' }).waitFor();
    expect((await stored('guest-card')).status).to.equal('Not Found');
    forgetRefusals(page);
    const watcher = await open('/#/office/acme.t1/types/member');
    await atWork(watcher, await world.clerk([may('acme.t1', 'credential-type-list')]));
    await watcher.getByRole('table', { name: 'Versions' }).waitFor();
    expect(await watcher.locator('main').getByRole('button').allInnerTexts()).to.deep.equal(['Log out']);
    for (const name of ['Make one like this', 'Change this type'])
      expect(await watcher.getByRole('link', { name }).count(), name).to.equal(0);
    forgetRefusals(watcher);
  });
});
