import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { KMS, may } from '../actors/tenant.ts';
import { type PortalPage, usePages } from '../support/portal/browser.ts';
import { atWork, enter, forgetRefusals, useOffice } from '../support/portal/office.ts';
import { Visitor } from '../support/portal/walk.ts';

const AUDIT = '/#/office/acme.t1/audit';

/** The text of the file that a button hands out. */
async function fileOf(page: PortalPage, button: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

describe('who did what in an office', () => {
  const world = useOffice();
  const open = usePages(world);
  let auditor: string;
  let keeper: { token: string; id: string };
  before(async () => {
    auditor = await world.clerk([may('acme', 'audit-view')]);
    keeper = await world.member([may('acme.t1', 'key-create')]);
    for (let made = 0; made < 60; made += 1) await world.post('generateKey', `${KMS}.k${made}`, {}, keeper.token);
    await world.post('createTenant', 'acme.refused', {}, keeper.token);
  });

  it('acts are listed page by page, searched with the search in the address, and exported whole', async () => {
    const visitor = await atWork(await open(AUDIT), auditor);
    const { page } = visitor;
    await visitor.reads('Who did what');
    const rows = page.getByRole('table').getByRole('row');
    await rows.nth(50).waitFor();
    expect(await rows.count()).to.equal(51);
    expect(await rows.nth(1).innerText())
      .to.include('Made a key')
      .and.include('acme.t1.kms1.k59')
      .and.include('Done');
    await visitor.click('Older acts');
    await page.getByText('acme.t1.kms1.k0', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'To the latest' }).click();
    await page.getByText('acme.t1.kms1.k59').waitFor();
    await page.getByText('Search', { exact: true }).click();
    await page.getByLabel('What').selectOption('Made a service');
    await visitor.click('Find');
    await page.getByText('acme.t1.verifier1').waitFor();
    expect(new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('action')).to.equal('createService');
    expect((await rows.allInnerTexts()).slice(1).every((text) => text.includes('Made a service'))).to.equal(true);
    await page
      .getByRole('button', { name: /^All of act/ })
      .first()
      .click();
    await page.locator('td pre').getByText('"requestId"').waitFor();
    const beside = await page.beside(`/${new URL(page.url()).hash}`);
    await beside.getByText('acme.t1.verifier1').waitFor();
    const csv = await fileOf(page, 'As a table (CSV)');
    expect(csv.name).to.equal('acme.t1-events.csv');
    const lines = csv.text.trim().split('\r\n');
    expect(lines[0]).to.equal('sequence,time,outcome,status,action,target,resource,account,source,requestId');
    expect(lines.slice(1)).to.have.length((await rows.count()) - 1);
    await page.getByText(`${lines.length - 1} acts written.`).waitFor();
    await page.goto(`${world.url}${AUDIT}?account=${keeper.id}`);
    await page.getByText('acme.t1.kms1.k59').waitFor();
    const json = await fileOf(page, 'As lines of JSON');
    const events = json.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).to.have.length(60);
    expect(new Set(events.map(({ account }) => account))).to.deep.equal(new Set([keeper.id]));
    forgetRefusals(page);
  });

  it('superadmins see the logins of the installation', async () => {
    const page = await open('/#/account/audit');
    const visitor = new Visitor(page);
    await visitor.reads('Log in to the office');
    await enter(visitor, 'root@example.org');
    await visitor.reads('Logins, accounts and organizations');
    await page.getByRole('rowheader', { name: 'Logged in' }).first().waitFor();
    forgetRefusals(page);
  });
});
