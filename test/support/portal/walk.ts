import type { Locator } from 'playwright-core';
import type { PortalPage } from './browser.ts';

/** A person in front of a page of any browser. */
export interface Walker {
  click(name: string): Promise<void>;
  type(label: string, text: string): Promise<void>;
  /** Waits for a page by its heading. */
  reads(heading: string | RegExp): Promise<void>;
  /** Waits for a text on the page. */
  finds(text: string): Promise<void>;
  /** Forgets what the story provoked on purpose: faults that match. */
  forgive(pattern: RegExp): void;
}

/** A person in front of a page of Chromium: counts what is done. */
export class Visitor implements Walker {
  actions = 0;

  constructor(
    readonly page: PortalPage,
    /** Called in each state that the person sees. */
    readonly sees: (page: PortalPage) => Promise<void> = async () => undefined,
  ) {}

  async click(name: string): Promise<void> {
    this.actions += 1;
    await this.page
      .locator('main')
      .getByRole('button', { name })
      .or(this.page.locator('main').getByRole('link', { name }))
      .click();
  }

  async type(label: string, text: string): Promise<void> {
    this.actions += 1;
    // Of the pseudo-language too, whose texts are marked.
    await this.page
      .getByLabel(label, { exact: true })
      .or(this.page.getByLabel(`⟦${label}·`))
      .fill(text);
  }

  async ticks(label: string): Promise<void> {
    this.actions += 1;
    await this.page.getByLabel(label, { exact: true }).check();
  }

  /** Goes to another part of the portal, by the bar above each page. */
  async goes(area: string): Promise<void> {
    this.actions += 1;
    await this.page.getByRole('banner').getByRole('link', { name: area }).click();
  }

  /** Gives the wallet a picture of a code that another screen shows. */
  async photographs(code: Locator): Promise<void> {
    this.actions += 1;
    const picture = { name: 'photo.png', mimeType: 'image/png', buffer: await code.screenshot() };
    await this.page.getByLabel('Picture of a code').setInputFiles(picture);
  }

  /** Waits for a page by its heading, and looks at it. */
  async reads(heading: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await this.sees(this.page);
  }

  async finds(text: string): Promise<void> {
    await this.page.getByText(text).waitFor();
  }

  forgive(pattern: RegExp): void {
    this.page.forgive(pattern);
  }
}

/** Makes an account for the wallet on the page that asks for one. */
export async function register(walker: Walker, email: string): Promise<void> {
  await walker.reads('Log in to your wallet');
  await walker.click('Make an account for your wallet');
  await walker.reads('Make an account for your wallet');
  await walker.type('Name', 'Ada');
  await walker.type('E-mail address', email);
  await walker.type('Password', 'correct horse battery staple');
  await walker.click('Make the account');
  // The browser's own line for the answer that leads to the login.
  walker.forgive(/401 .*\/accounts\/wallets/);
}

/** The tour from the start to the card in the wallet. */
export async function takeCard(walker: Walker, email: string): Promise<void> {
  await walker.reads('Credenza');
  await walker.click('Start: offer a card');
  await walker.reads('Offer of IdentityCredential');
  await walker.click("Open in this browser's wallet");
  await register(walker, email);
  await walker.reads('A credential is offered to you');
  await walker.finds('Offered by');
  await walker.click('Accept');
  await walker.reads('The credential is in your wallet');
}

/** The tour from the card in the wallet to the result. */
export async function showCard(walker: Walker): Promise<void> {
  await walker.click('Continue: show it to a shop');
  await walker.reads('Request for IdentityCredential');
  await walker.click("Open in this browser's wallet");
  await walker.finds('You keep');
  await walker.reads('You are asked for a credential');
  await walker.click('Share');
  await walker.reads('You shared it');
  await walker.click('See what the shop sees');
  await walker.reads(/^⟦?Verified/);
}
