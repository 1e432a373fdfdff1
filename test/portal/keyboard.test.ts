import { expect } from 'chai';
import { usePages } from '../support/portal/browser.ts';
import { Typist } from '../support/portal/keyboard.ts';
import { useServer } from '../support/servers/server.ts';

describe('the portal by keyboard', () => {
  const server = useServer();
  const open = usePages(server);

  it('X3: the tour is done with the keyboard alone; the focus is visible and lands on the heading of each page', async () => {
    const person = new Typist(await open());
    const { page } = person;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await person.press('Start: offer a card');
    await person.arrives('Offer of IdentityCredential');
    await person.press("Open in this browser's wallet");
    await person.arrives('Log in to your wallet');
    await person.press('Make an account for your wallet');
    await person.arrives('Make an account for your wallet');
    await person.type('Name', 'Ada');
    await person.type('E-mail address', 'keys@example.org');
    await person.type('Password', 'correct horse battery staple');
    await page.keyboard.press('Enter');
    page.forgive(/ 401 /);
    await person.arrives('A credential is offered to you');
    await page.getByRole('button', { name: 'Accept' }).waitFor();
    await person.press('Accept');
    await person.arrives('The credential is in your wallet');
    await person.press('Continue: show it to a shop');
    await person.arrives('Request for IdentityCredential');
    await person.press("Open in this browser's wallet");
    await person.arrives('You are asked for a credential');
    await page.getByRole('button', { name: 'Share' }).waitFor();
    await person.press('Share');
    await person.arrives('You shared it');
    await person.press('See what the shop sees');
    await person.arrives('Verified');
  });

  it('the skip link leads to the content and stays on the page', async () => {
    const person = new Typist(await open('/#/wallet/login'));
    const { page } = person;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await person.press('Go to the content');
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('MAIN');
    expect(page.url()).to.match(/#\/wallet\/login$/);
  });
});
