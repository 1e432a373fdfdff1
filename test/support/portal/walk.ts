import type { PortalPage } from './browser.ts';

/** A person in front of a page: counts what is done. */
export class Visitor {
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

  /** Waits for a page by its heading, and looks at it. */
  async reads(heading: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await this.sees(this.page);
  }
}

/** Makes an account for the wallet on the page that asks for one. */
export async function register(visitor: Visitor, email: string): Promise<void> {
  await visitor.reads('Log in to your wallet');
  await visitor.click('Make an account for your wallet');
  await visitor.reads('Make an account for your wallet');
  await visitor.type('Name', 'Ada');
  await visitor.type('E-mail address', email);
  await visitor.type('Password', 'correct horse battery staple');
  await visitor.click('Make the account');
  // The browser's own line for the answer that leads to the login.
  visitor.page.forgive(/401 .*\/accounts\/wallets/);
}

/** The tour from the start to the card in the wallet. */
export async function takeCard(visitor: Visitor, email: string): Promise<void> {
  await visitor.reads('Credenza');
  await visitor.click('Start: offer a card');
  await visitor.reads('Offer of IdentityCredential');
  await visitor.click("Open in this browser's wallet");
  await register(visitor, email);
  await visitor.reads('A credential is offered to you');
  await visitor.page.getByText('Offered by').waitFor();
  await visitor.click('Accept');
  await visitor.reads('The credential is in your wallet');
}

/** The tour from the card in the wallet to the result. */
export async function showCard(visitor: Visitor): Promise<void> {
  await visitor.click('Continue: show it to a shop');
  await visitor.reads('Request for IdentityCredential');
  await visitor.click("Open in this browser's wallet");
  await visitor.page.getByText('You keep').waitFor();
  await visitor.reads('You are asked for a credential');
  await visitor.click('Share');
  await visitor.reads('You shared it');
  await visitor.click('See what the shop sees');
  await visitor.reads(/^⟦?Verified/);
}
