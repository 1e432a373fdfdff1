import { expect } from 'chai';
import { ENTERPRISE_SETTINGS, enterpriseOn, SUPERADMIN } from '../actors/tenant.ts';
import { usePages } from '../support/portal/browser.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { atWork, forgetRefusals } from '../support/portal/office.ts';
import { wordsLeft } from '../support/portal/words.ts';
import { undisturbedMs } from '../support/runs/undisturbed.ts';
import { useServer } from '../support/servers/server.ts';
import { FaultyStore, StoreFaults } from '../support/stores/faulty-store.ts';

describe('the health of a server', () => {
  const faults = new StoreFaults();
  const server = useServer({ settings: ENTERPRISE_SETTINGS, wrapStore: (store) => new FaultyStore(store, faults) });
  const open = usePages(server);

  it('A6: checks and limits are shown to superadmins; a store that stops is said within 5 s, and its return without a reload', async () => {
    await enterpriseOn(server);
    const visitor = await atWork(await open('/#/office?choose=yes'), SUPERADMIN);
    const { page } = visitor;
    await visitor.click('Health of the server');
    await visitor.reads('Health of the server');
    await page.getByText('The server works').waitFor();
    await page.getByRole('row', { name: /enterprise_auth_endpoint.*Logins to the office/ }).waitFor();
    const ms = await undisturbedMs(async () => {
      faults.down = true;
      await page.getByText('The server cannot work').waitFor();
      await page.getByText('The store cannot be reached').waitFor();
    });
    expect(ms).to.be.below(5000);
    await expectAccessible(page);
    const late = await page.beside('/#/account/health');
    await late.getByText('The server cannot work').waitFor();
    faults.down = false;
    await page.getByText('The server works').waitFor();
    await late.getByRole('table').waitFor();
    await page.evaluate("localStorage.setItem('language', 'en-XA')");
    await page.reload();
    await page.getByRole('table').waitFor();
    expect((await wordsLeft(page)).filter((text) => !/^(– |Credenza – )?Credenza$|^\d+\.\d+/.test(text))).to.deep.equal(
      [],
    );
    forgetRefusals(page);
    for (const one of [page, late]) one.forgive(/ 50[0-9] /);
  });
});
