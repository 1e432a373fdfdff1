/** A request to a provider, as a browser or a client sent it. */
export interface ProviderRequest {
  method: 'GET' | 'POST';
  /** Below the issuer identifier, with a leading slash. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  form?: Readonly<Record<string, string | undefined>>;
  headers: Readonly<Record<string, string | undefined>>;
}

/** What a provider has to say to a person, which is shown as a page. */
export type ProviderPage =
  | { kind: 'error'; error: string; description?: string }
  /** The browser has no such sign-in, or no longer. */
  | { kind: 'over' }
  /** Whether to log out; `form` is the HTML of an empty form with the id `op.logoutForm`. */
  | { kind: 'logout'; form: string; client?: string; goesOnTo?: string }
  | { kind: 'loggedOut'; client?: string };

/** The answer of a provider. */
export interface ProviderAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: Uint8Array;
  /** In place of a body. */
  page?: ProviderPage;
}

/** A sign-in that a client asked for and a person has not finished. */
export interface PendingSignIn {
  id: string;
  clientId: string;
  /** Parameters of the authorization request (OpenID Connect Core §3.1.2.1), as texts. */
  request: { scope?: string; acrValues?: string; claims?: string; uiLocales?: string; redirectUri?: string };
  /** The only `sub` that the client wants to see. */
  subject?: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** How a sign-in ended. */
export type SignInResult =
  | { accountId: string; acr: string; amr: string[]; at: number }
  | { error: 'access_denied' | 'login_required'; description: string };

/** The browser of a person, by its cookies. */
export interface Browser {
  cookie?: string;
}

/** The protocol of an OpenID Provider (OpenID Connect Core 1.0). */
export interface OpenIdProvider {
  answer(request: ProviderRequest): Promise<ProviderAnswer>;
  /** The sign-in with this id, if it is the one of this browser and not over. */
  pending(id: string, browser: Browser): Promise<PendingSignIn | undefined>;
  /** Ends a sign-in, once; returns the URL at which the browser goes on. */
  finish(id: string, browser: Browser, result: SignInResult): Promise<string | undefined>;
}
