import { readFile } from 'node:fs/promises';
import { historyName } from '../../../domain/events/event-logs.ts';
import type { EventWatches } from '../../../domain/events/event-watches.ts';
import { at, DomainError, ignoring, isDomainError } from '../../../domain/foundation/errors.ts';
import type { SignInServer } from '../../../domain/sign-in/sign-in-server.ts';
import { noSignIn, type OpenSignIn, type SignIns } from '../../../domain/sign-in/sign-ins.ts';
import type { RequestEndpoint } from '../../../domain/verifier/requests/request-endpoint.ts';
import { linksOf } from '../../../domain/verifier/verification/v1-view.ts';
import type { Browser, OpenIdProvider, ProviderAnswer, SignInResult } from '../../../ports/open-id-provider.ts';
import { CompressedText } from '../messages/compressed-text.ts';
import { type Handlers, type Headers, NO_STORE } from '../messages/operations.ts';
import { ShownFailure } from '../messages/problems.ts';
import { downPage, overPage, type PagePlace, providerPage, signInPage } from '../pages/sign-in-pages.ts';
import { type Reader, textsFor } from '../pages/sign-in-texts.ts';

/** What the handlers of the document `sign-in` need. */
export interface SignInServices {
  signIns: SignIns;
  /** The protocol of a provider. */
  providerOf(server: SignInServer): Promise<OpenIdProvider>;
  requestEndpoint: Pick<RequestEndpoint, 'ofPage'>;
  /** The readers of the events of requests. */
  watches: EventWatches;
  /** What the portal is called, and its usual language. */
  branding: { title: string; defaultLanguage: string };
  /** The folder with the files of the pages. */
  files: URL;
}

/** The provider that is called. */
export interface OfServer {
  server: SignInServer;
}

/** What every request to a provider may have. */
interface ProviderInput extends OfServer {
  headers?: object;
}

/** The headers that the library is given. */
const headersOf = ({ headers = {} }: ProviderInput): Record<string, string | undefined> => ({
  accept: 'text/html, application/json;q=0.9',
  ...headers,
});

type Texts = Readonly<Record<string, string | undefined>>;

/** The OpenID Provider and the pages of sign-ins. */
export const signInHandlers = (services: SignInServices): Handlers<'sign-in', OfServer> => ({
  ...clientHandlers(services),
  ...browserHandlers(services),
  ...pageHandlers(services),
  ...scriptHandlers(services),
  getSignInAsset: assets(services),
});

/** Answers as the library does: with one of the documented statuses, or with a failure of the server. */
class Asking {
  constructor(private readonly services: SignInServices) {}

  /** For a program: errors are JSON. */
  async program<S extends number>(input: ProviderInput, request: Request, statuses: readonly S[]) {
    return this.#written(
      await this.#ask({ ...input, headers: { ...input.headers, accept: 'application/json' } }, request),
      statuses,
    );
  }

  /** For a person: what the library has to say is a page of ours. */
  async person<S extends number>(input: ProviderInput, request: Request, statuses: readonly S[]) {
    const answer = await this.#ask(input, request).catch(this.shown(input, request.method === 'GET'));
    const { page } = answer;
    if (!page) return this.#written(answer, statuses);
    const shown = providerPage(this.texts(input, request.query ?? {}), this.place(input), page);
    const headers = { ...answer.headers, ...shown.headers };
    const status = page.kind === 'over' ? 404 : answer.status;
    return this.#written({ status, headers, body: Buffer.from(shown.body) }, statuses);
  }

  /** While the store is down a person reads so. */
  shown(input: ProviderInput, isRead: boolean) {
    return (error: unknown): never => {
      if (!isDomainError(error, 'StoreUnavailable')) throw error;
      throw new ShownFailure(error, downPage(this.texts(input), this.place(input), isRead));
    };
  }

  texts({ headers = {} }: ProviderInput, { ui_locales: locales }: Texts = {}) {
    const { 'accept-language': acceptLanguage } = headers as Texts;
    return textsFor({ locales, acceptLanguage } satisfies Reader, this.services.branding.defaultLanguage);
  }

  place({ server: { issuer } }: OfServer): PagePlace {
    return { issuer, title: this.services.branding.title };
  }

  async #ask(input: ProviderInput, request: Request): Promise<ProviderAnswer> {
    const provider = await this.services.providerOf(input.server);
    return provider.answer({ ...request, headers: headersOf(input) });
  }

  #written<S extends number>({ status, headers, body }: ProviderAnswer, statuses: readonly S[]) {
    const known = statuses.find((one) => one === status);
    if (known === undefined) throw new Error(`The provider answered ${status}`);
    return { status: known, headers: { ...NO_STORE, ...headers } satisfies Headers, body };
  }
}

/** A request to the library. */
interface Request {
  method: 'GET' | 'POST';
  path: string;
  query?: Texts;
  form?: Texts;
}

const ASKED = [303, 400] as const;
const AUTHORIZED = [200, ...ASKED] as const;
const REFUSALS = [400, 401] as const;

/** What programs call. */
function clientHandlers(services: SignInServices) {
  const asking = new Asking(services);
  const userinfo = (input: ProviderInput, request: Pick<Request, 'method' | 'form'>) =>
    asking.program(input, { ...request, path: '/userinfo' }, [200, ...REFUSALS]);
  return {
    getSignInConfiguration: (input) =>
      asking.program(input, { method: 'GET', path: '/.well-known/openid-configuration' }, [200]),
    getSignInKeys: (input) => asking.program(input, { method: 'GET', path: '/jwks' }, [200]),
    pushSignInRequest: (input) =>
      asking.program(input, { method: 'POST', path: '/par', form: input.body as Texts }, [201, ...REFUSALS]),
    exchangeSignInCode: (input) =>
      asking.program(input, { method: 'POST', path: '/token', form: input.body as Texts }, [200, ...REFUSALS]),
    getSignedInPerson: (input) => userinfo(input, { method: 'GET' }),
    postForSignedInPerson: (input) => userinfo(input, { method: 'POST', form: input.body as Texts | undefined }),
  } satisfies Partial<Handlers<'sign-in', OfServer>>;
}

/** Where clients send browsers to. */
function browserHandlers(services: SignInServices) {
  const asking = new Asking(services);
  // A form that a browser posts is the same request: no cookie that it would not send is needed.
  const authorize = (input: ProviderInput, query: object) =>
    asking.person(input, { method: 'GET', path: '/authorize', query: query as Texts }, ASKED);
  const logout = (input: ProviderInput, query: object) =>
    asking.person(input, { method: 'GET', path: '/logout', query: query as Texts }, [200, 400]);
  return {
    requestSignIn: (input) => authorize(input, input.query),
    postSignInRequest: (input) => authorize(input, input.body),
    resumeSignIn: (input) =>
      asking.person(input, { method: 'GET', path: `/authorize/${input.path.signIn}` }, [...AUTHORIZED, 404]),
    logOutOfSignIn: (input) => logout(input, input.query),
    postLogout: (input) => logout(input, input.body),
    confirmLogout: (input) =>
      asking.person(input, { method: 'POST', path: '/logout/confirm', form: input.body as Texts }, [303, 400]),
    getLoggedOutPage: (input) =>
      asking.person(input, { method: 'GET', path: '/logout/success', query: input.query as Texts }, [200, 400]),
  } satisfies Partial<Handlers<'sign-in', OfServer>>;
}

/** What the pages of a sign-in call. */
interface PageInput extends ProviderInput {
  path: { signIn: string };
  headers: { cookie?: string };
}

const goOn = (location: string) => ({ status: 303, headers: { ...NO_STORE, location } }) as const;

/** The sign-ins of browsers. */
class OpenSignIns {
  constructor(private readonly services: SignInServices) {}

  /** @throws DomainError `NotFound` */
  async find({ server, path, headers }: PageInput): Promise<SignInOfBrowser> {
    const provider = await this.services.providerOf(server);
    const browser = { cookie: headers.cookie };
    const pending = await provider.pending(path.signIn, browser);
    if (!pending) throw noSignIn();
    return { server, pending, provider, browser, path: `${server.issuer}/sign-ins/${pending.id}` };
  }

  /** Sends the browser back to the client. @throws DomainError `NotFound` */
  async end({ provider, browser, pending }: SignInOfBrowser, result: SignInResult) {
    const location = await provider.finish(pending.id, browser, result);
    if (location === undefined) throw noSignIn();
    return goOn(location);
  }
}

/** The page of a sign-in and what it offers. */
function pageHandlers(services: SignInServices) {
  const { signIns } = services;
  const asking = new Asking(services);
  const open = new OpenSignIns(services);
  /** Where there is no such sign-in, and while the store is down, the person reads so. */
  const forPerson =
    <I extends PageInput, A>(work: (input: I) => Promise<A>, isRead = false) =>
    async (input: I) => {
      const answer = await work(input).catch(ignoring('NotFound')).catch(asking.shown(input, isRead));
      return answer ?? ({ status: 404, ...overPage(asking.texts(input), asking.place(input)) } as const);
    };
  return {
    getSignInPage: forPerson(async (input) => {
      const signIn = await open.find(input);
      const looked = await signIns.look(signIn);
      if ('result' in looked) return open.end(signIn, looked.result);
      const { redirectUri, uiLocales } = signIn.pending.request;
      const texts = asking.texts(input, { ui_locales: uiLocales });
      return {
        status: 200,
        ...signInPage(texts, { ...asking.place(input), path: signIn.path, redirectUri }, looked.view),
      } as const;
    }, true),
    openWalletForSignIn: forPerson(async (input) => {
      const { value } = await signIns.request(await open.find(input), 'same_device');
      return goOn(linksOf(value.request).bootstrapAuthorizationRequestUrl ?? '');
    }, true),
    returnFromWallet: forPerson(async (input) => {
      const signIn = await open.find(input);
      const { response_code: code } = input.query;
      if (code !== undefined) await at(['query'], () => signIns.comeBack(signIn, code));
      return goOn(signIn.path);
    }, true),
    retrySignIn: forPerson(async (input) => {
      const signIn = await open.find(input);
      await signIns.retry(signIn);
      return goOn(signIn.path);
    }),
    cancelSignIn: forPerson(async (input) => {
      const signIn = await open.find(input);
      return open.end(signIn, await signIns.cancel(signIn));
    }),
  } satisfies Partial<Handlers<'sign-in', OfServer>>;
}

/** What the script of the page calls. */
function scriptHandlers(services: SignInServices) {
  const { signIns, requestEndpoint, watches } = services;
  const open = new OpenSignIns(services);
  return {
    requestDigitalSignIn: async (input) => {
      const signIn = await open.find(input);
      const session = await signIns.request(signIn, 'dc_api');
      const data = (await requestEndpoint.ofPage(await signIn.server.verifier(), session)) ?? {};
      return {
        status: 200,
        headers: NO_STORE,
        body: { data, responseUri: linksOf(session.value.request).responseUri ?? '' },
      };
    },
    followSignIn: async (input) => {
      const session = await signIns.followed(await open.find(input));
      const known = input.headers['last-event-id'];
      const place = known === undefined ? ['query', 'lastEventId'] : ['header', 'Last-Event-ID'];
      const after = Number(known ?? input.query.lastEventId ?? 0);
      return { status: 200, events: await at({ after: place }, () => watches.open(historyName(session), after)) };
    },
  } satisfies Partial<Handlers<'sign-in', OfServer>>;
}

/** A sign-in, with the browser that began it. */
interface SignInOfBrowser extends OpenSignIn {
  provider: OpenIdProvider;
  browser: Browser;
  /** The address of its page. */
  path: string;
}

const TYPES: Readonly<Record<string, string>> = { 'sign-in.js': 'text/javascript', 'sign-in.css': 'text/css' };

/** The files of the pages, read at their first request and kept. */
function assets({ files }: SignInServices): Handlers<'sign-in', OfServer>['getSignInAsset'] {
  const texts = new Map<string, CompressedText>();
  return async ({ path: { asset }, headers }) => {
    const type = Object.hasOwn(TYPES, asset) ? TYPES[asset] : undefined;
    if (type === undefined) throw new DomainError('NotFound', 'The pages have no such file');
    const text =
      texts.get(asset) ??
      new CompressedText(await readFile(new URL(asset, files), 'utf8'), {
        'content-type': `${type}; charset=utf-8`,
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=300',
      });
    texts.set(asset, text);
    return text.answer(headers);
  };
}
