import { expect } from 'chai';
import { usePages } from '../support/portal/browser.ts';
import { expectAccessible } from '../support/portal/looks.ts';
import { Visitor } from '../support/portal/walk.ts';
import { useServer } from '../support/servers/server.ts';

const OFFERS = '**/issuer2/credential-offers';

/** An error as the server writes it. */
const problem = (id: string) =>
  JSON.stringify({ exception: true, id, status: id, code: '500', message: `It was ${id}`, requestId: 'request-4711' });

describe('failures in the portal', () => {
  const server = useServer();
  const open = usePages(server);

  for (const [status, heading, more] of [
    [403, 'You may not do this', 'can allow it'],
    [404, 'This is not here, or no longer', 'It may have been removed'],
    [500, 'Something went wrong here', 'request-4711'],
  ] as const)
    it(`X6: ${status} is explained, with the id of the request, and the step can be tried again`, async () => {
      const page = await open();
      await page.route(OFFERS, (route) =>
        route.fulfill({ status, contentType: 'application/json', body: problem(`status ${status}`) }),
      );
      await page.getByRole('button', { name: 'Start: offer a card' }).click();
      await page.getByRole('alert').getByRole('heading', { name: heading }).waitFor();
      expect(await page.getByRole('alert').innerText())
        .to.include(more)
        .and.include('request-4711');
      page.forgive(new RegExp(` ${status} `));
      await page.unroute(OFFERS);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('img', { name: 'QR code' }).waitFor();
    });

  it('X6: what was typed stays, with any answer', async () => {
    const visitor = new Visitor(await open('/#/wallet/register'));
    const { page } = visitor;
    const typed = { Name: 'Ada', 'E-mail address': 'typed@example.org', Password: 'correct horse battery staple' };
    for (const [label, text] of Object.entries(typed)) await visitor.type(label, text);
    for (const status of [401, 403, 429, 500]) {
      const headers = { 'retry-after': '99' };
      await page.route('**/auth/register', (route) =>
        route.fulfill({ status, headers, contentType: 'application/json', body: problem(`status ${status}`) }),
      );
      const answered = page.waitForResponse('**/auth/register');
      await visitor.click('Make the account');
      await answered;
      await page.getByRole('alert').waitFor();
      const values = Object.keys(typed).map((label) => page.getByLabel(label, { exact: true }).inputValue());
      expect(await Promise.all(values), `${status}`).to.deep.equal(Object.values(typed));
      await page.unroute('**/auth/register');
    }
    page.forgive(/ (401|403|429|500) /);
  });

  it('X6: 429 counts down to the next attempt, which is then offered', async () => {
    const page = await open();
    await page.route(OFFERS, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '2' },
        contentType: 'application/json',
        body: problem('429'),
      }),
    );
    await page.getByRole('button', { name: 'Start: offer a card' }).click();
    await page.getByText('Try again in 2 seconds.').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).to.equal(0);
    page.forgive(/ 429 /);
    await page.unroute(OFFERS);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
  });

  it('X6: while the server is gone a banner says so, what was typed stays, and the page goes on by itself', async () => {
    const visitor = new Visitor(await open('/#/wallet/register'));
    const { page } = visitor;
    await visitor.type('Name', 'Ada');
    await visitor.type('E-mail address', 'gone@example.org');
    await visitor.type('Password', 'correct horse battery staple');
    await page.context().setOffline(true);
    await visitor.click('Make the account');
    await page.getByRole('alert').getByText('The server does not answer').waitFor();
    await expectAccessible(page);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Ada');
    await page.context().setOffline(false);
    page.forgive(/ERR_INTERNET_DISCONNECTED/);
    await visitor.reads('Your wallet');
    await page.getByText('No credentials yet.').waitFor();
    page.forgive(/ERR_INTERNET_DISCONNECTED/);
  });

  it('X6: an area whose script is gone leads to a reload, not to a blank page', async () => {
    const page = await open();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.route('**/portal/wallet-*.js', (route) => route.fulfill({ status: 404, body: '' }));
    await page.locator('header').getByRole('link', { name: 'Wallet' }).click();
    await page.getByRole('heading', { level: 1, name: 'A new version is here' }).waitFor();
    await expectAccessible(page);
    page.forgive(/ 404 |Failed to fetch|MIME/);
  });

  it('a refused registration has a summary with the focus that leads to the fields', async () => {
    const visitor = new Visitor(await open('/#/wallet/register'));
    const { page } = visitor;
    await visitor.type('Name', 'Ada');
    await visitor.type('E-mail address', 'ada@example.org');
    await visitor.type('Password', 'x'.repeat(1025));
    await visitor.click('Make the account');
    await page.locator('[role=alert]:focus').waitFor();
    await expectAccessible(page);
    await page.getByRole('alert').getByRole('link').first().click();
    await page.locator('#password:focus').waitFor();
    page.forgive(/ 400 /);
  });
});
