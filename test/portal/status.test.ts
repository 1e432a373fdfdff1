import { expect } from 'chai';
import { onboard } from '../../demo/actors/issuer.ts';
import { may } from '../actors/tenant.ts';
import { ok } from '../actors/tenant-certificates.ts';
import { usePages } from '../support/portal/browser.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { atWork, forgetRefusals, useOffice } from '../support/portal/office.ts';
import { makeIssuer, newResident, STATUS } from '../support/portal/residents.ts';
import { Visitor } from '../support/portal/walk.ts';

const LISTS = '/#/office/acme.t1/status';

const CREDENTIAL = 'urn:uuid:5f0b6b0c-2b5e-4ae8-9a53-1e0d1cbf3a7e';

describe('status lists in the office', () => {
  const world = useOffice();
  const open = usePages(world);
  before(async () => {
    await makeIssuer(world);
    for (const number of [1, 2, 3]) await newResident(world, `File ${number}`);
  });

  it('L1, L3: a list with its entries, found by state and by session; one is suspended, and revoked with a reason', async () => {
    const visitor = await atWork(await open(LISTS), await world.clerk([may('acme.t1')]));
    const { page } = visitor;
    await visitor.reads('Status lists');
    await page.getByRole('cell', { name: 'Any state' }).waitFor();
    await expectAccessible(page);
    await visitor.click('TokenStatusList');
    await visitor.reads('Status list');
    await page.locator('.summary').getByText('3 of 131,072 places').waitFor();
    await page.locator('.summary').getByText('No status was set yet').waitFor();
    const url = await page.locator('.summary a').getAttribute('href');
    expect((await fetch(url ?? '')).status).to.equal(200);
    await expectAccessible(page);
    const session = await page.getByRole('row').nth(2).getByRole('cell').nth(1).innerText();
    await page.getByRole('row').nth(2).getByRole('link').click();
    await visitor.reads('Entry of a status list');
    await page.getByText('Nothing was changed since it was issued.').waitFor();
    await change(visitor, 'Suspend');
    await page.getByRole('table').getByText('Valid → Suspended').waitFor();
    await change(visitor, 'Revoke', 'Lost');
    await page.getByRole('table').getByText('Lost').waitFor();
    await page.locator('main').getByRole('button', { name: 'Revoke' }).waitFor({ state: 'detached' });
    await expectAccessible(page);
    await visitor.click('The list');
    await visitor.click('All status lists');
    await page.getByLabel('Find by').selectOption('Session that it was issued in');
    await visitor.type('Which one', session);
    await visitor.click('Find');
    await page.getByRole('row').nth(1).getByText('Revoked').waitFor();
    expect(await page.getByRole('row').count()).to.equal(2);
    expect(page.url()).to.include(`value=${encodeURIComponent(session)}`);
    await visitor.type('Which one', 'urn:of:nothing');
    await visitor.click('Find');
    await page.getByText('No credential with a status has this name.').waitFor();
    await page.goto(`${world.url}/#/office/acme.t1/status/${url?.split('/').at(-1)}?state=valid`);
    await page.getByRole('row').nth(2).waitFor();
    expect(await page.getByRole('row').count()).to.equal(3);
    forgetRefusals(page);
  });

  /** Presses a button that asks first, and the button of its question. */
  async function change({ page }: Visitor, button: string, reason = ''): Promise<void> {
    await page.locator('main').getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog', { name: new RegExp(`^${button} the credential at place \\d+\\?$`) });
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: button }).click();
  }

  it('L1: who may only look is offered no change, and a forced one is refused', async () => {
    const looker = await world.clerk([may(STATUS, 'status-credential-list'), may(STATUS, 'status-entry-list')]);
    const page = await open(LISTS);
    await atWork(page, looker);
    await page.getByRole('rowheader').first().getByRole('link').click();
    await page.waitForURL(/status\/[^/]+$/);
    await page.getByRole('rowheader').first().getByRole('link').click();
    await page.waitForURL(/status\/[^/]+\/\d+$/);
    await page.locator('.summary ~ .quiet').waitFor();
    const [, list, index] = /status\/([^/]+)\/(\d+)/.exec(page.url()) ?? [];
    expect(await page.locator('main').getByRole('button').count()).to.equal(1);
    const status = await page.evaluate(async (path) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(path, { method: 'POST', headers, body: '{"action":"revoke"}' })).status;
    }, `/v1/${STATUS}/credential-status-service-api/status-lists/${list}/entries/${index}/changes`);
    expect(status).to.equal(403);
    page.forgive(/ 40[13] /);
  });

  it('L1: the lists of the open issuers have the same pages; a list that knows one state offers no other', async () => {
    const issuer = await onboard(world.server, { key: { keyType: 'secp256r1' } });
    const { listId } = await ok(world.server.call('createStatusList', { json: issuer }), 201);
    await ok(world.server.call('allocateStatusEntry', { path: { listId }, json: { credentialId: CREDENTIAL } }), 201);
    const visitor = new Visitor(await open());
    const { page } = visitor;
    await visitor.click('Revoke or suspend what was issued');
    await visitor.reads('Status lists');
    await visitor.type('Which one', CREDENTIAL);
    await visitor.click('Find');
    await page.getByRole('row').nth(1).getByRole('link').click();
    await visitor.reads('Entry of a status list');
    const acts = page.locator('main .actions').getByRole('button');
    expect(await acts.allInnerTexts()).to.deep.equal(['Revoke']);
    await acts.click();
    await page
      .getByRole('dialog', { name: `Revoke ${CREDENTIAL}?` })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await page.getByRole('table').getByText('Valid → Revoked').waitFor();
    await visitor.click('The list');
    await visitor.reads('Status list');
    await page.locator('.summary').getByText('Revoked or not').waitFor();
  });
});
