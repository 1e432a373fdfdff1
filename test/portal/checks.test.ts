import { expect } from 'chai';
import { may, VERIFIER } from '../actors/tenant.ts';
import { usePages } from '../support/portal/browser.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { atWork, forgetRefusals, useOffice } from '../support/portal/office.ts';
import { readQr } from '../support/portal/qr.ts';
import { makeIssuer, newResident, revoke } from '../support/portal/residents.ts';
import { undisturbedMs } from '../support/runs/undisturbed.ts';

const CHECKS = '/#/office/acme.t1/checks';

/** Within this time a counter knows that a card was revoked. */
const KNOWN_MS = 5000;

describe('saved checks in the office', () => {
  const world = useOffice();
  const open = usePages(world);
  let clerk: string;
  before(async () => {
    await makeIssuer(world);
    clerk = await world.clerk([may('acme.t1')]);
  });
  const stored = async (target: string) =>
    (await world.server.call('getSavedCheck', { path: { target }, token: world.root })).body;

  it('O3, O6: a check is made by ticking two entries of a type; the counter says yes with the portrait, and "No: revoked" once the card is', async () => {
    const visitor = await atWork(await open(CHECKS), clerk);
    const { page } = visitor;
    await visitor.reads('Checks');
    await page.getByText('No check yet.').waitFor();
    await visitor.click('Make a check');
    await visitor.reads('Make a check');
    await visitor.type('Name', 'Who lives here');
    await visitor.type('Text (English)', 'We ask who you are.');
    await page.getByLabel('Card', { exact: true }).selectOption('Resident card (SD-JWT VC)');
    await page.getByLabel('Address › Street').check();
    await page.getByLabel('Portrait').check();
    await page.getByLabel('Date of birth').check();
    await page.getByLabel('Date of birth').uncheck();
    await page.getByLabel('Already valid').check();
    await visitor.click('JSON');
    const text = page.getByLabel('The same as JSON');
    const { setup } = JSON.parse(await text.inputValue());
    const [asked] = setup.core_flow.dcql_query.credentials;
    expect(asked.claims).to.deep.equal([{ path: ['address', 'street'] }, { path: ['portrait'] }]);
    expect(setup.core_flow.policies.vc_policies).to.deep.equal(['expiration', 'revoked-status-list', 'not-before']);
    await visitor.click('Save this check');
    await page.getByText('Who lives here is saved.').waitFor();
    await visitor.reads('Check');
    expect(await page.locator('.summary').last().innerText()).to.match(/Resident card: Address › Street, Portrait/);
    expect((await stored(`${VERIFIER}.who-lives-here`)).setup).to.deep.equal(setup);
    const resident = await newResident(world, 'File 4711');
    await visitor.click('Open the counter');
    await visitor.reads('Who lives here');
    await page.getByText('We ask who you are.').waitFor();
    const code = page.getByRole('img', { name: 'QR code for your wallet' });
    await code.waitFor();
    await expectAccessible(page);
    expect(await resident.answer(await readQr(code))).to.equal(200);
    await page.getByRole('status').filter({ hasText: /Yes$/ }).waitFor();
    await page.getByRole('img', { name: 'Portrait' }).waitFor();
    expect(await page.locator('main .summary').innerText()).to.match(/^Address › Street\s+High Street 1$/);
    await visitor.click('Next person');
    await code.waitFor();
    expect(await page.locator('main').innerText()).not.to.include('High Street');
    const ms = await undisturbedMs(async () => {
      await revoke(world, 'File 4711');
      await resident.answer(await readQr(code));
      await page.getByRole('status').filter({ hasText: 'No: revoked' }).waitFor();
    });
    expect(ms).to.be.below(KNOWN_MS);
    expect(await page.locator('main').innerText()).not.to.include('High Street');
    forgetRefusals(page);
  });

  it('a check of a type that is typed by hand is made, changed and removed; what the server refuses leads to its field', async () => {
    const visitor = await atWork(await open('/#/office/acme.t1/new-check'), clerk);
    const { page } = visitor;
    await visitor.reads('Make a check');
    await visitor.type('Name', 'Adults');
    await page.getByLabel('Card', { exact: true }).selectOption('Another one: type what it is called');
    await page.getByLabel('Format').selectOption('mdoc');
    await visitor.click('Save this check');
    await page.locator('[role=alert]:focus').waitFor();
    await page.getByRole('alert').getByRole('link').first().click();
    await page.getByLabel('Document type (doctype)').and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
    await page.keyboard.type('org.iso.18013.5.1.mDL');
    await visitor.type('Another entry', 'org.iso.18013.5.1/age_over_18');
    await visitor.click('Add this entry');
    expect(await page.getByLabel('Age over 18').isChecked()).to.equal(true);
    await visitor.click('Add another card');
    await page.getByLabel('Family name').check();
    await page.getByLabel('The holder shows').selectOption('One of these cards');
    await visitor.click('Save this check');
    await page.getByText('Adults is saved.').waitFor();
    const target = `${VERIFIER}.adults`;
    const { dcql_query: query } = (await stored(target)).setup.core_flow;
    expect(query.credentials[0]).to.deep.equal({
      id: 'card',
      format: 'mso_mdoc',
      meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
      claims: [{ path: ['org.iso.18013.5.1', 'age_over_18'] }],
    });
    expect(query.credential_sets).to.deep.equal([{ options: [['card'], ['card2']] }]);
    await visitor.click('Change it');
    await visitor.reads('Change a check');
    await visitor.click('Remove card 2: Resident card');
    await visitor.type('What it is for', 'At the door');
    await visitor.click('Save the changes');
    await page.getByText('Adults is saved.').waitFor();
    const changed = await stored(target);
    expect([changed.description, changed.setup.core_flow.dcql_query]).to.deep.equal([
      'At the door',
      { credentials: [query.credentials[0]] },
    ]);
    await page.goto(`${world.url}/#/office/acme.t1/new-check`);
    await visitor.type('Name', 'Adults');
    await visitor.click('Save this check');
    await page.getByRole('alert').getByRole('link', { name: 'There is a check with this name already.' }).waitFor();
    await page.goto(`${world.url}${CHECKS}/adults`);
    await visitor.click('Remove this check');
    await page
      .getByRole('dialog', { name: 'Remove Adults?' })
      .getByRole('button', { name: 'Remove this check' })
      .click();
    await visitor.reads('Checks');
    expect((await stored(target)).status).to.equal('Not Found');
    page.forgive(/ 40[019] /);
  });

  it('L1: who may only run checks sees them and the counter, and is offered nothing else', async () => {
    const actions = ['check-list', 'check-run', 'verifier-session-view'];
    const counter = await world.clerk(actions.map((action) => may(VERIFIER, action)));
    const page = await open(`${CHECKS}/who-lives-here`);
    await atWork(page, counter);
    await page.getByRole('link', { name: 'Open the counter' }).waitFor();
    expect(await page.locator('main').getByRole('button').allInnerTexts()).to.deep.equal(['Log out']);
    expect(await page.getByRole('link', { name: 'Change it' }).count()).to.equal(0);
    await page.goto(`${world.url}${CHECKS}`);
    await page.getByRole('link', { name: 'Open the counter: Who lives here' }).waitFor();
    expect(await page.getByRole('link', { name: 'Make a check' }).count()).to.equal(0);
    forgetRefusals(page);
  });
});
