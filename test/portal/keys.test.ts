import { expect } from 'chai';
import { may } from '../actors/tenant.ts';
import { usePages } from '../support/portal/browser.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { atWork, forgetRefusals, useOffice } from '../support/portal/office.ts';
import { undisturbedMs } from '../support/runs/undisturbed.ts';
import { CopiedRecords } from '../support/stores/copied-records.ts';

const KEYS = '/#/office/acme.t1/keys';
const MANY = 'acme.t1.many';
/** One page is shown within this; on a machine that does other work, within twice that. */
const SHOWN_MS = 300;

describe('the keys of an office', () => {
  const copies = new CopiedRecords();
  const world = useOffice({}, { wrapStore: copies.wrapStore });
  const open = usePages(world);

  it('A3, A4, L1: a key is made, looked at and removed; its private part is nowhere; a service that holds keys says which', async () => {
    const clerk = await world.clerk([may('acme.t1')]);
    const visitor = await atWork(await open(KEYS), clerk);
    const { page } = visitor;
    const answers: string[] = [];
    page.on('response', async (answer) => {
      if (answer.url().includes('/kms-service-api/')) answers.push(await answer.text().catch(() => ''));
    });
    await visitor.reads('Keys');
    await page.getByText('No key here yet.').waitFor();
    await visitor.click('Make a key');
    await visitor.reads('Make a key');
    await visitor.type('Short name', 'a seal!');
    await visitor.click('Make this key');
    await page.locator('[role=alert]').first().waitFor();
    await visitor.type('Short name', 'seal');
    await visitor.click('Make this key');
    await page.getByText('The key seal was made.').waitFor();
    await visitor.reads('Key');
    expect(JSON.parse(await page.locator('pre').innerText())).to.include({ kty: 'EC', crv: 'P-256' });
    await page.goto(`${world.url}${KEYS}`);
    await page.getByRole('table').getByText('P-256').waitFor();
    const remove = async (name: string, at = page.locator('main')): Promise<void> => {
      await at.getByRole('button', { name: `Remove ${name}` }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: `Remove ${name}` })
        .click();
    };
    await remove('kms1');
    await page.getByText('It still holds these.').waitFor();
    expect(await page.getByRole('alert').getByRole('link').allInnerTexts()).to.deep.equal(['seal']);
    await expectAccessible(page);
    await page.getByRole('table').getByRole('link', { name: 'seal' }).click();
    await visitor.click('Remove this key');
    await page.getByRole('dialog', { name: 'Remove seal?' }).getByRole('button', { name: 'Remove this key' }).click();
    await page.getByText('No key here yet.').waitFor();
    await remove('kms1');
    await page.getByText('other services work with it').waitFor();
    expect(await page.getByRole('alert').getByRole('link').allInnerTexts()).to.deep.equal(['verifier1']);
    await page.getByRole('link', { name: 'What is set up' }).click();
    await visitor.reads('What is set up here');
    await page.getByRole('row').nth(5).waitFor();
    await remove('t1');
    const alert = page.getByRole('alert');
    await alert.getByText('It still holds these.').waitFor();
    for (const name of ['kms1', 'dids1', 'creds1', 'policies1', 'verifier1']) await alert.getByText(name).waitFor();
    await expectAccessible(page);
    await remove('verifier1', page.getByRole('row', { name: 'verifier1' }));
    await page.getByRole('row', { name: 'verifier1' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'kms1' }).first().click();
    await visitor.reads('Keys');
    expect(answers.join('')).to.include('"kty":"EC"').and.not.match(/"d":/);
    page.forgive(/ 4(00|01|04|09) /);
  });

  it('A2: of 10,000 keys a page is one request for one more than it shows; order and page are in the address', async () => {
    await world.post('createService', MANY, { type: 'kms' });
    await world.post('generateKey', `${MANY}.k00000`, { keyType: 'Ed25519' });
    const names = Array.from({ length: 9999 }, (_, at) => `k${String(at + 1).padStart(5, '0')}`);
    await copies.add('enterprise-keys', `${MANY}.k00000`, names);
    const clerk = await world.clerk([may(MANY, 'list-keys')]);
    const page = await open(`${KEYS}?service=${MANY}`);
    const asked: URL[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/keys/list')) asked.push(new URL(request.url()));
    });
    await atWork(page, clerk);
    const shown = () => page.getByRole('table').getByRole('rowheader').allInnerTexts();
    await page.getByRole('rowheader', { name: 'k00000' }).waitFor();
    expect(await shown()).to.have.length(20);
    const times: number[] = [];
    for (const [link, first] of [
      ['Next page', 'k00020'],
      ['Made', 'k09999'],
      ['Next page', 'k09979'],
      ['Made', 'k00000'],
      ['Next page', 'k00020'],
      ['Previous page', 'k00000'],
    ] as const) {
      const opened = async (): Promise<void> => {
        await page.getByRole('link', { name: link }).click();
        await page.getByRole('row').nth(1).getByRole('rowheader', { name: first }).waitFor();
      };
      times.push(await undisturbedMs(opened));
    }
    console.info(`      pages of 10,000 keys: ${times.map((time) => time.toFixed(0)).join(', ')} ms`);
    expect(times.toSorted((one, other) => one - other)[2]).to.be.below(SHOWN_MS);
    expect(asked).to.have.length(7);
    for (const url of asked) expect(url.searchParams.get('limit')).to.equal('21');
    expect(await page.getByRole('columnheader', { name: 'Made' }).getAttribute('aria-sort')).to.equal('ascending');
    const beside = await page.beside(`/${new URL(page.url()).hash}`);
    await beside.getByRole('rowheader', { name: 'k00000' }).waitFor();
    await beside.getByRole('link', { name: 'Next page' }).waitFor();
    expect(await page.locator('main').getByRole('button').allInnerTexts()).to.deep.equal(['Log out']);
    forgetRefusals(page);
    forgetRefusals(beside);
  });
});
