import type { Outbound, OutboundReply } from '../../ports/outbound.ts';
import { fromUtf8 } from '../foundation/bytes.ts';
import { type DomainError, isDomainError, oauthError } from '../foundation/errors.ts';
import { isObject, isText } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { CODE_CHALLENGE_METHOD, codeChallenge } from './pkce.ts';

/** The OAuth or OpenID server at which users log in, as its operator registered us there. */
export interface LoginServer {
  name: string;
  authorizeUrl: string;
  accessTokenUrl: string;
  clientId: string;
  /** A secret; absent for a public client. */
  clientSecret?: string;
  defaultScopes: string[];
  /** Whether the server is sent the issuer state of the offer. */
  forwardIssuerStateToAuthorizationServer: boolean;
}

/** What the server answers by the user's browser (RFC 6749 §4.1.2). */
export interface LoginAnswer {
  code?: string;
  error?: string;
}

/** One login at the server. The verifier binds the server's code to it (RFC 7636). */
export interface LoginAttempt {
  state: string;
  verifier: string;
  issuerState?: string;
}

/** Errors that say how we asked (RFC 6749 §4.1.2.1): the user cannot help it. */
const OUR_FAULTS = ['invalid_request', 'unauthorized_client', 'unsupported_response_type', 'invalid_scope'];
const PASSED_ON = ['server_error', 'temporarily_unavailable'];

/** Login at another server by the authorization code flow: we are its client, and its code is exchanged from here. */
export class ExternalLogin {
  readonly #server: LoginServer;
  readonly #callbackUrl: string;
  readonly #outbound: Outbound;

  constructor({ server, callbackUrl, outbound }: { server: LoginServer; callbackUrl: string; outbound: Outbound }) {
    this.#server = server;
    this.#callbackUrl = callbackUrl;
    this.#outbound = outbound;
  }

  /** The URL that the user is sent to. */
  url({ state, verifier, issuerState }: LoginAttempt): string {
    const { authorizeUrl, clientId, defaultScopes, forwardIssuerStateToAuthorizationServer: forwards } = this.#server;
    const url = new URL(authorizeUrl);
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: this.#callbackUrl,
      scope: defaultScopes.join(' '),
      state,
      code_challenge: codeChallenge(verifier),
      code_challenge_method: CODE_CHALLENGE_METHOD,
      ...(forwards && issuerState !== undefined && { issuer_state: issuerState }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  /** Checks that the user logged in. @throws DomainError with a code of RFC 6749 §4.1.2.1 */
  async check({ code, error }: LoginAnswer, verifier: string): Promise<void> {
    if (error !== undefined) throw refusalOf(error);
    if (!isText(code)) throw oauthError('access_denied', 'The login server gave no code');
    const reply = await this.#exchange(code, verifier).catch(unreached);
    const token = reply.status === 200 ? readToken(reply) : undefined;
    if (!isText(token)) throw oauthError('access_denied', 'The login server did not accept the login');
  }

  #exchange(code: string, verifier: string): Promise<OutboundReply> {
    const { accessTokenUrl: url, clientId, clientSecret } = this.#server;
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.#callbackUrl,
      client_id: clientId,
      code_verifier: verifier,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    return this.#outbound.send({ method: 'POST', url, expects: 'login-token', headers, body: form.toString() });
  }
}

function refusalOf(error: string): DomainError {
  if (PASSED_ON.includes(error)) return oauthError(error, 'The login server failed');
  if (OUR_FAULTS.includes(error)) return oauthError('server_error', 'The login server refused the request for a login');
  return oauthError('access_denied', 'The user was not logged in');
}

function unreached(cause: unknown): never {
  if (!isDomainError(cause)) throw cause;
  throw oauthError('temporarily_unavailable', 'The login server cannot be reached', { cause });
}

function readToken({ body }: OutboundReply): unknown {
  try {
    const reply = parseJson(fromUtf8(body));
    return isObject(reply) ? reply.access_token : undefined;
  } catch {
    return undefined;
  }
}
