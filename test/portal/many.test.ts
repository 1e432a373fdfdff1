import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { may } from '../actors/tenant.ts';
import { ISSUER } from '../actors/tenant-issuer.ts';
import { newWalletUser } from '../actors/wallet-user.ts';
import { usePages } from '../support/portal/browser.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { atWork, forgetRefusals, useOffice } from '../support/portal/office.ts';
import { printed } from '../support/portal/paper.ts';
import { readQrIn } from '../support/portal/qr.ts';
import { makeIssuer } from '../support/portal/residents.ts';
import { wordsLeft } from '../support/portal/words.ts';

const MANY = '/#/office/acme.t1/issue-many?type=resident-card_dc-sd-jwt';
/** What these pages say that is no text of a language. */
const DATA = [/^(– |Credenza – )?Credenza$/, /^t1$|^acme\.|^Resident card|^Family name;|^Aktenzeichen$|^Nachname$/];
/** Three calls of the page, and three groups of letters. */
const ROWS = 560;

describe('issuing many cards in the office', () => {
  const world = useOffice();
  const open = usePages(world);
  let clerk: string;
  before(async () => {
    await makeIssuer(world);
    clerk = await world.clerk([may('acme.t1')]);
  });

  /** How many sessions the issuer has. */
  async function sessions(): Promise<number> {
    let count = 0;
    for (;;) {
      const query = { limit: '500', offset: String(count) };
      const call = { path: { target: ISSUER }, query, token: world.root };
      const { length } = (await world.server.call('tenantListIssuanceSessions', call)).body;
      count += length;
      if (length < 500) return count;
    }
  }

  it('O4: wrong rows are named before anything is made; after a cut nothing is made twice; the file and the letters have every offer', async () => {
    const visitor = await atWork(await open('/#/office/acme.t1/issue'), clerk);
    const { page } = visitor;
    await visitor.click('Issue many cards');
    await visitor.reads('Issue many cards');
    await page.getByRole('link', { name: 'Resident card' }).first().click();
    const good = Array.from({ length: ROWS }, (_, at) => `Person ${at};${(at % 28) + 1}.2.1990;en | fr;Case ${at}`);
    const bad = ['Late;31.2.1990;;Case x', ';1.1.1990;;Case y'];
    await page.getByLabel('File (CSV)').setInputFiles({
      name: 'residents.csv',
      mimeType: 'text/csv',
      // As spreadsheets of a German office write it.
      buffer: Buffer.from(['Nachname;Geburtstag;Sprachen;Aktenzeichen', ...good, ...bad].join('\r\n'), 'latin1'),
    });
    await page.getByText(`${ROWS} rows are good, 2 are wrong.`).waitFor();
    await page.getByRole('row', { name: `${ROWS + 2} Date of birth is no day` }).waitFor();
    await page.getByRole('row', { name: `${ROWS + 3} Family name is missing` }).waitFor();
    expect(await page.getByLabel('File number').inputValue()).to.equal('');
    await page.getByLabel('File number').selectOption('Aktenzeichen');
    await page.getByText(`${ROWS} rows are good, 2 are wrong.`).waitFor();
    expect(await page.getByRole('button', { name: /^Offer/ }).count()).to.equal(0);
    expect(await sessions()).to.equal(0);
    await page.getByLabel('Leave out 2 rows that are wrong').check();
    await page.getByLabel('The holder also types a transaction code').check();
    await expectAccessible(page);
    await page.evaluate(`globalThis.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
      }).observe({ type: 'longtask' });`);
    let calls = 0;
    await page.route('**/credential-offers/bulk', async (route) => {
      calls += 1;
      if (calls !== 3) return route.continue();
      // The server has made them all when the answer breaks off.
      const response = await route.fetch();
      return route.fulfill({ response, body: (await response.text()).slice(0, 20_000) });
    });
    await page.getByRole('button', { name: `Offer ${ROWS} cards` }).click();
    await page.getByText('Going on makes the rest, and nothing twice.').waitFor();
    await expectAccessible(page);
    await visitor.click('Go on');
    await page.getByText(`${ROWS} offers are made.`).waitFor();
    expect(await sessions()).to.equal(ROWS);
    console.info(`      longest task while ${ROWS} were offered: ${await page.evaluate<number>('longest')} ms`);
    await expectAccessible(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'All offers as a table (CSV)' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).to.have.length(ROWS + 1);
    expect(lines[0]).to.equal('row,reference,recipient,session,offer,transactionCode,validUntil,refused');
    const offers = lines.slice(1).map((line) => line.split(','));
    expect(new Set(offers.map(([, , , , offer]) => offer)).size).to.equal(ROWS);
    const [, reference, , , offer = '', code = ''] = offers[450] ?? [];
    expect(reference).to.equal('Case 450');
    const holder = await newWalletUser(world.server);
    const { document } = await holder.accept(offer, code);
    const said = document.split('~').map((one) => Buffer.from(one, 'base64url').toString());
    expect(said.join()).to.include('Person 450').and.include('1990-02-03');
    await page.getByLabel('Letters').selectOption('501 to 560');
    const printing = new Promise((resolve) => page.exposeFunction('noted', resolve));
    await page.evaluate('globalThis.print = () => noted()');
    await visitor.click('Print letters');
    await printing;
    const { pictures, texts } = await printed(page, 2);
    expect(await readQrIn(pictures[0] ?? Buffer.alloc(0), page)).to.equal(offers[500]?.[4]);
    expect(texts[0]).to.include('Case 500').and.not.include(offers[500]?.[5]);
    expect(texts[1]).to.include(offers[500]?.[5]);
    expect(texts).to.have.length(2 * 60);
    expect(await page.evaluate('Object.keys(localStorage).concat(Object.keys(sessionStorage)).join()')).to.equal('');
    forgetRefusals(page);
  });

  it('X7: with the pseudo-language no word of another one is left; a table that cannot be used is explained', async () => {
    const page = await open(MANY);
    const visitor = await atWork(page, clerk);
    await page.getByLabel('Or paste a table here').fill('Nachname');
    await visitor.click('Read the pasted table');
    await page.getByText('It has no row below the first one').waitFor();
    await expectAccessible(page);
    await page.evaluate("localStorage.setItem('language', 'en-XA')");
    await page.reload();
    await page.locator('#pasted').fill('Nachname\tAktenzeichen\nLovelace\tCase 1\n\t');
    await page.locator('fieldset button').last().click();
    await page.locator('.notice.good, .notice.warning').first().waitFor();
    const left = (await wordsLeft(page)).filter((text) => !DATA.some((one) => one.test(text)));
    expect(left).to.deep.equal([]);
    forgetRefusals(page);
  });
});
