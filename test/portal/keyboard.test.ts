import { expect } from 'chai';
import { type PortalPage, usePages } from '../support/portal/browser.ts';
import { useServer } from '../support/servers/server.ts';

/** What has the focus, and whether it can be seen there. */
interface Focused {
  tag: string;
  name: string;
  outline: number;
  isInView: boolean;
}

const FOCUSED = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { top, bottom } = element.getBoundingClientRect();
  const label = element.labels?.[0]?.textContent ?? element.textContent;
  return {
    tag: element.tagName,
    name: label.trim(),
    outline: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
    isInView: bottom > 0 && top < innerHeight,
  };
})()`;

/** More stops than any page has. */
const MOST = 40;

describe('the portal by keyboard', () => {
  const server = useServer();
  const open = usePages(server);

  /** Presses Tab until a control has the focus; every stop on the way can be seen. */
  async function tabTo(page: PortalPage, name: string): Promise<void> {
    for (let stop = 0; stop < MOST; stop += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<Focused>(FOCUSED);
      if (focused.tag === 'BODY') continue;
      expect(focused.outline, `outline of ${focused.name}`).to.be.at.least(2);
      expect(focused.isInView, focused.name).to.equal(true);
      if (focused.name === name) return;
    }
    throw new Error(`Tab does not reach ${name}`);
  }

  const press = async (page: PortalPage, name: string): Promise<void> => {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
  };

  const type = async (page: PortalPage, label: string, text: string): Promise<void> => {
    await tabTo(page, label);
    await page.keyboard.type(text);
  };

  /** A new page has the focus on its heading. */
  const arrives = async (page: PortalPage, heading: string): Promise<void> => {
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.locator('h1:focus').waitFor();
  };

  it('X3: the tour is done with the keyboard alone; the focus is visible and lands on the heading of each page', async () => {
    const page = await open();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await press(page, 'Start: offer a card');
    await arrives(page, 'Offer of IdentityCredential');
    await press(page, "Open in this browser's wallet");
    await arrives(page, 'Log in to your wallet');
    await press(page, 'Make an account for your wallet');
    await arrives(page, 'Make an account for your wallet');
    await type(page, 'Name', 'Ada');
    await type(page, 'E-mail address', 'keys@example.org');
    await type(page, 'Password', 'correct horse battery staple');
    await page.keyboard.press('Enter');
    page.forgive(/ 401 /);
    await arrives(page, 'A credential is offered to you');
    await page.getByRole('button', { name: 'Accept' }).waitFor();
    await press(page, 'Accept');
    await arrives(page, 'The credential is in your wallet');
    await press(page, 'Continue: show it to a shop');
    await arrives(page, 'Request for IdentityCredential');
    await press(page, "Open in this browser's wallet");
    await arrives(page, 'You are asked for a credential');
    await page.getByRole('button', { name: 'Share' }).waitFor();
    await press(page, 'Share');
    await arrives(page, 'You shared it');
    await press(page, 'See what the shop sees');
    await arrives(page, 'Verified');
  });

  it('the skip link leads to the content and stays on the page', async () => {
    const page = await open('/#/wallet/login');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await press(page, 'Go to the content');
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('MAIN');
    expect(page.url()).to.match(/#\/wallet\/login$/);
  });
});
