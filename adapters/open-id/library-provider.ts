import type { IncomingMessage, ServerResponse } from 'node:http';
import { inject } from 'light-my-request';
import Provider, { type KoaContextWithOIDC } from 'oidc-provider';
import { digest, equalInConstantTime, hex } from '../../domain/foundation/bytes.ts';
import { isObject, type JsonObject } from '../../domain/foundation/json.ts';
import { parseJson } from '../../domain/foundation/strict-json.ts';
import type { SignInServer } from '../../domain/sign-in/sign-in-server.ts';
import type {
  Browser,
  OpenIdProvider,
  PendingSignIn,
  ProviderAnswer,
  ProviderPage,
  ProviderRequest,
  SignInResult,
} from '../../ports/open-id-provider.ts';
import { configurationOf, type LibraryParts } from './provider-configuration.ts';

/** No page of the library loads anything; its scripts are named by their digests. */
const POLICY = "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'";

/** An OpenID Provider whose protocol is oidc-provider's: nothing of it is written here. */
export class LibraryProvider implements OpenIdProvider {
  readonly #provider: Provider;
  readonly #pages = new WeakMap<object, ProviderPage>();
  /** Why requests failed here. */
  readonly #failures = new WeakMap<object, unknown>();

  constructor(
    private readonly server: SignInServer,
    parts: LibraryParts,
  ) {
    this.#provider = new Provider(
      server.issuer,
      configurationOf(server, parts, (ctx, page) => this.#show(ctx, page)),
    );
    // Its only proxy is this file, which says what the address of the server is.
    this.#provider.proxy = true;
    this.#provider.Client.prototype.compareClientSecret = function compare(secret: string) {
      return equalInConstantTime(String(this.clientSecret), hex(digest('sha256', secret)));
    };
    this.#provider.on('server_error', ({ req }: KoaContextWithOIDC, error: unknown) => this.#failures.set(req, error));
    this.#provider.use((ctx, next) => {
      ctx.set('content-security-policy', POLICY);
      // What fails once an answer is made, which would be printed.
      return next().catch((error: unknown) => void this.#failures.set(ctx.req, error));
    });
  }

  async answer(request: ProviderRequest): Promise<ProviderAnswer> {
    let page: ProviderPage | undefined;
    let failure: unknown;
    const callback = this.#provider.callback();
    const answered = await this.#inject(request, async (req, res) => {
      await callback(req, res);
      page = this.#pages.get(req);
      failure = this.#failures.get(req);
    });
    // A store that is down has an answer of its own.
    if (failure !== undefined) throw failure;
    const { statusCode: status, headers: written, rawPayload: body } = answered;
    const isRedirect = status === 303;
    return { status, headers: ownHeaders(written), body: isRedirect ? new Uint8Array() : body, page };
  }

  async pending(id: string, browser: Browser): Promise<PendingSignIn | undefined> {
    const found = await this.#ofBrowser(browser, (req, res) => this.#provider.interactionDetails(req, res));
    if (!found || found.uid !== id) return undefined;
    const { params, exp } = found;
    return {
      id,
      clientId: String(params.client_id),
      request: {
        scope: textOf(params.scope),
        acrValues: textOf(params.acr_values),
        claims: textOf(params.claims),
        uiLocales: textOf(params.ui_locales),
        redirectUri: textOf(params.redirect_uri),
      },
      subject: subjectWanted(params),
      expiresAt: exp * 1000,
    };
  }

  async finish(id: string, browser: Browser, result: SignInResult): Promise<string | undefined> {
    if (!(await this.pending(id, browser))) return undefined;
    const given =
      'error' in result
        ? { error: result.error, error_description: result.description }
        : {
            login: { accountId: result.accountId, acr: result.acr, amr: result.amr, ts: result.at, remember: false },
            consent: {},
          };
    const options = { mergeWithLastSubmission: false };
    return this.#ofBrowser(browser, (req, res) => this.#provider.interactionResult(req, res, given, options));
  }

  #show(ctx: KoaContextWithOIDC, page: ProviderPage): void {
    ctx.body = '';
    this.#pages.set(ctx.req, page);
  }

  /** What `work` finds for a browser; undefined where the library knows no sign-in of it. */
  async #ofBrowser<T>({ cookie }: Browser, work: (req: IncomingMessage, res: ServerResponse) => Promise<T>) {
    let found: T | undefined;
    let failure: unknown;
    await this.#inject({ method: 'GET', path: '/', headers: { cookie } }, async (req, res) => {
      await work(req, res).then(
        (value) => {
          found = value;
        },
        (error: unknown) => {
          failure = error;
        },
      );
      res.end();
    });
    if (failure !== undefined && !isNotFound(failure)) throw failure;
    return found;
  }

  /** Has a request answered without a connection, as one to the address of the provider. */
  #inject({ method, path, query, form, headers }: ProviderRequest, dispatch: Dispatch) {
    const { protocol, host, pathname } = new URL(this.server.issuer);
    const search = query ? `?${encoded(query)}` : '';
    const own = {
      ...present(headers),
      host,
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-host': host,
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const mounted: Dispatch = (req, res) => {
      Object.assign(req, { originalUrl: `${pathname}${req.url ?? ''}` });
      return dispatch(req, res);
    };
    const payload = form && encoded(form);
    return inject((req, res) => void mounted(req, res), { method, url: `${path}${search}`, headers: own, payload });
  }
}

type Dispatch = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

const isNotFound = (error: unknown): boolean => error instanceof Error && error.name === 'SessionNotFound';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const present = (members: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(members).filter((member): member is [string, string] => member[1] !== undefined));

const encoded = (members: Readonly<Record<string, string | undefined>>): string =>
  new URLSearchParams(present(members)).toString();

/** Of the server's connection, and of the policy of its edge on other origins. */
const FOREIGN = /^(access-control-.*|connection|date|transfer-encoding|content-length|vary|keep-alive)$/;

const ownHeaders = (headers: Record<string, unknown>): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => value !== undefined && !FOREIGN.test(name))
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );

/** The subject of the ID token that a client sends as a hint, which the library has verified, or that it demands. */
function subjectWanted({ id_token_hint: hint, claims }: JsonObject): string | undefined {
  const asked: unknown = typeof claims === 'string' ? parseJson(claims) : undefined;
  const idToken = isObject(asked) && isObject(asked.id_token) ? asked.id_token : {};
  const demanded = isObject(idToken.sub) ? idToken.sub.value : undefined;
  const [, payload = ''] = typeof hint === 'string' ? hint.split('.') : [];
  const hinted: unknown = payload === '' ? undefined : parseJson(Buffer.from(payload, 'base64url').toString());
  return textOf(demanded) ?? (isObject(hinted) ? textOf(hinted.sub) : undefined);
}
