import type { WrittenClient, WrittenLoginProfile, WrittenSignIn } from '../../domain/sign-in/written-sign-in.ts';
import { type ServerOptions, type TestServer, useServer } from '../support/servers/server.ts';
import { Browser, locationOf, type Page } from './browser.ts';
import { CardWallet } from './card-wallet.ts';
import { type BegunSignIn, CALLBACK, type ClientCredentials, RelyingParty } from './relying-party.ts';
import { linkOf } from './sign-in-page.ts';

/** The type of the cards of these tests. */
export const CARD = 'https://town.example/card';

const FAMILY_NAME = { query: 'card', path: ['family_name'] };

/** A login profile that asks for the family name of a card. */
export const cardProfile = (more: Partial<WrittenLoginProfile> = {}): WrittenLoginProfile => ({
  dcqlQuery: {
    credentials: [
      { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: [CARD] }, claims: [{ path: ['family_name'] }] },
    ],
  },
  issuers: 'any',
  policies: [],
  claims: { family_name: { ...FAMILY_NAME, required: true, transform: 'none', list: false } },
  subject: { kind: 'pairwise', values: [FAMILY_NAME], acrossIssuers: false },
  flows: ['cross_device', 'same_device'],
  haip: false,
  // The wallet of these tests encrypts nothing.
  encryptedResponse: false,
  ...more,
});

/** A client as `sign-in.conf` has it. */
export const clientOf = (
  { registered }: Pick<ClientCredentials, 'registered'>,
  more: Partial<WrittenClient> = {},
): WrittenClient => ({
  name: 'Shop',
  redirectUris: [CALLBACK],
  postLogoutRedirectUris: ['https://shop.example.org/'],
  profiles: ['card'],
  requirePushedRequests: false,
  ...registered,
  ...more,
});

/** `sign-in.conf` with these clients and profiles. */
export const signInOf = (
  clients: Record<string, WrittenClient>,
  profiles: Record<string, WrittenLoginProfile> = { card: cardProfile() },
): WrittenSignIn => ({
  clients,
  profiles,
  lifetimes: { signIn: 300, code: 60, idToken: 3600, accessToken: 600 },
});

/** A server with an OpenID Provider, and the wallet of a person. */
export class SignInFixture {
  readonly server: TestServer;
  /** Set once the tests run. */
  wallet!: CardWallet;

  constructor(signIn: WrittenSignIn, options: ServerOptions = {}) {
    this.server = useServer({ ...options, settings: { ...options.settings, signIn } });
    before(async () => {
      this.wallet = await CardWallet.with(CARD, { now: () => this.server.clock.now() });
    });
  }

  get issuer(): string {
    return `${this.server.settings.publicUrl}/sign-in`;
  }

  /** A browser that has begun nothing. */
  browser(): Browser {
    return new Browser(this.server);
  }

  /** A relying party with its credentials. */
  party(id: string, credentials: ClientCredentials): Promise<RelyingParty> {
    return RelyingParty.at(this.server, { issuer: this.issuer, id, credentials });
  }

  /** Signs in with the card; returns the location of the answer. */
  signIn(begun: OpenPage): Promise<string> {
    return signInWith(this.wallet, begun);
  }

  /** Opens a page again. */
  again({ browser, page }: OpenPage): Promise<Page> {
    return browser.follow(page.url);
  }
}

/** A page of a sign-in in a browser. */
type OpenPage = Pick<BegunSignIn, 'browser' | 'page'>;

/** Presents a card for the code on a page; returns the location of the answer to the client. */
export async function signInWith(wallet: CardWallet, { browser, page }: OpenPage): Promise<string> {
  await wallet.follow(linkOf(page));
  return answerOf(await browser.follow(page.url));
}

/** The answer to a client as the URL that it gets: of a redirect, or of the form that a page posts. */
export function answerOf(page: Page): string {
  const location = locationOf(page);
  if (location !== undefined) return location;
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(page.text) ?? [];
  const url = new URL(action);
  for (const [, name = '', value = ''] of page.text.matchAll(/name="([^"]+)" value="([^"]*)"/g))
    url.searchParams.set(name, value.replaceAll('&amp;', '&'));
  return url.href;
}

/** The parameters of an answer, in its query or its fragment. */
export function parametersOf(answer: string): Record<string, string> {
  const { search, hash } = new URL(answer);
  return Object.fromEntries(new URLSearchParams((search || hash).slice(1)));
}
