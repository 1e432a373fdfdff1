import { expect } from 'chai';
import { may } from '../actors/tenant.ts';
import { type PortalPage, usePages } from '../support/portal/browser.ts';
import { atWork, useOffice } from '../support/portal/office.ts';
import { useProxy } from '../support/portal/proxy.ts';
import { showCard, takeCard, Visitor } from '../support/portal/walk.ts';

describe('the portal behind a proxy', () => {
  const world = useOffice();
  const proxy = useProxy(world, '/id/credenza');
  const open = usePages(proxy);

  it('X5: the tour works below /id/credenza/, which the proxy strips', async () => {
    const visitor = new Visitor(await open());
    await takeCard(visitor, 'x5@example.org');
    await showCard(visitor);
    const { page } = visitor;
    expect(page.url()).to.include('/id/credenza/#/');
    await page.getByRole('link', { name: 'Start', exact: true }).click();
    await page.getByRole('link', { name: 'How it works with a phone' }).click();
    await page.getByRole('heading', { level: 1, name: 'With a phone' }).waitFor();
    expect(await page.evaluate('document.styleSheets[0].cssRules.length')).to.be.greaterThan(0);
    await page.getByRole('link', { name: 'Portal' }).click();
    await visitor.reads('Credenza');
    expect(page.url()).to.equal(`${proxy.url}/`);
    await visitor.goes('Wallet');
    await page.locator('.cards > li').getByRole('link').click();
    await page.getByRole('button', { name: 'Delete' }).waitFor();
    expect(page.url()).to.include('/id/credenza/#/wallet/credentials/');
  });

  it('X5: a login in the office leads to the page that was asked for, and from there to the others', async () => {
    const visitor = await atWork(await open('/#/office/acme.t1/audit'), await world.clerk([may('acme.t1')]));
    const { page } = visitor;
    await visitor.reads('Who did what');
    await page.getByRole('table').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'People' }).click();
    await visitor.reads('People');
    await page.reload();
    await page.getByText('No role here yet.').waitFor();
    expect(page.url()).to.equal(`${proxy.url}/#/office/acme.t1/people`);
  });

  it('I6, I7, I8: each step of the wallet comes once and in order, over a cut connection and a reload; then the code is gone', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Start: offer a card' }).click();
    const steps = page.getByRole('log').getByRole('listitem');
    await steps.first().waitFor();
    const offered = page.url();
    proxy.cut();
    await takeOffer(await open(), offered);
    page.forgive(/ERR_/);
    await page.getByRole('heading', { level: 1, name: 'IdentityCredential is in the wallet' }).waitFor();
    const expected = [
      'The offer was made',
      'A wallet looked at the offer',
      'The wallet got access',
      'The wallet got the credential',
      'The offer was closed',
    ];
    await steps.nth(4).waitFor();
    expect(await steps.allInnerTexts()).to.deep.equal(expected);
    expect(await page.getByRole('img', { name: 'QR code' }).count()).to.equal(0);
    for (const name of ['Verify it', 'Issue another']) await page.getByRole('button', { name }).waitFor();
    await page.reload();
    await steps.nth(4).waitFor();
    expect(await steps.allInnerTexts()).to.deep.equal(expected);
    await page.getByRole('heading', { level: 1, name: 'IdentityCredential is in the wallet' }).waitFor();
  });
});

/** Takes the offer of a session page in another browser. */
async function takeOffer(page: PortalPage, offered: string): Promise<void> {
  const visitor = new Visitor(page);
  const offer = new URLSearchParams(new URL(offered).hash.split('?')[1]).get('offer') ?? '';
  await page.goto(
    `${offered.split('#')[0]}#/wallet/register?${new URLSearchParams({ next: `/wallet/receive?${new URLSearchParams({ offer })}` })}`,
  );
  await visitor.type('Name', 'Grace');
  await visitor.type('E-mail address', 'grace@example.org');
  await visitor.type('Password', 'correct horse battery staple');
  await visitor.click('Make the account');
  await visitor.click('Accept');
  await visitor.reads('The credential is in your wallet');
}
