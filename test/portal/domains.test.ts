import { expect } from 'chai';
import { may } from '../actors/tenant.ts';
import { usePages } from '../support/portal/browser.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { atWork, useOffice } from '../support/portal/office.ts';
import { wordsLeft } from '../support/portal/words.ts';

const DOMAINS = '/#/office/acme.t1/domains';

describe('the domains of an office', () => {
  const world = useOffice();
  const open = usePages(world);

  it('a domain is given and taken after a question; one that is no name or is taken is refused at its field', async () => {
    await world.post('createHostAlias', 'acme', { domain: 'taken.example.org' });
    const boss = await world.clerk([may('acme.t1')]);
    const visitor = await atWork(await open(DOMAINS), boss);
    const { page } = visitor;
    await visitor.reads('Domains');
    await page.getByText('No domain yet').waitFor();
    for (const [wrong, said] of [
      ['https://cards.example.org', ''],
      ['taken.example.org', 'This domain belongs to another place already.'],
    ] as const) {
      await visitor.type('Domain', wrong);
      await visitor.click('Give a domain');
      await page.locator('[role=alert]:focus').filter({ hasText: said }).waitFor();
      expect(await page.getByLabel('Domain', { exact: true }).inputValue()).to.equal(wrong);
    }
    await expectAccessible(page);
    await visitor.type('Domain', 'cards.example.org');
    await visitor.click('Give a domain');
    await page.getByRole('rowheader', { name: 'cards.example.org' }).waitFor();
    await page.evaluate("localStorage.setItem('language', 'en-XA')");
    await page.reload();
    await page.getByRole('table').waitFor();
    const left = (await wordsLeft(page)).filter((text) => !/^(– |Credenza – )?Credenza$|^t1$/.test(text));
    expect(left).to.deep.equal([]);
    await page.evaluate("localStorage.setItem('language', 'en')");
    await page.reload();
    await page.getByRole('row').getByRole('button', { name: 'Take it away' }).click();
    const asked = page.getByRole('dialog', { name: 'Take cards.example.org away?' });
    await asked.getByRole('button', { name: 'Take it away' }).click();
    await page.getByText('No domain yet').waitFor();
    const looking = await open(DOMAINS);
    await atWork(looking, await world.clerk([may('acme.t1', 'host-alias-list')]));
    await looking.getByText('No domain yet').waitFor();
    expect(await looking.locator('main').getByRole('button').allInnerTexts()).to.deep.equal(['Log out']);
    for (const one of [page, looking]) one.forgive(/ 4(00|01|09) /);
  });
});
