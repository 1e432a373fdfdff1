import type { Outbound, OutboundReply } from '../../ports/outbound.ts';
import type { Clock } from '../../ports/system.ts';
import { fromUtf8 } from '../foundation/bytes.ts';
import { catching, type DomainError, isDomainError, oauthError, replacing } from '../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { parseJws } from '../jose/jws.ts';
import { timeProblems } from '../jose/jwt-claims.ts';
import { otherType } from '../jose/token-types.ts';
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
interface LoginAnswer {
  code?: string;
  error?: string;
}

/** One login at the server. The verifier binds the server's code to it (RFC 7636). */
interface LoginAttempt {
  state: string;
  verifier: string;
  issuerState?: string;
}

/** The claims about a user; none where the server gave no ID token. @throws DomainError `BadRequest` when the ID token is not acceptable */
export type UserClaims = () => JsonObject;

const SKEW_MS = 60_000;

/** Errors that say how we asked (RFC 6749 §4.1.2.1): the user cannot help it. */
const OUR_FAULTS = ['invalid_request', 'unauthorized_client', 'unsupported_response_type', 'invalid_scope'];
const PASSED_ON = ['server_error', 'temporarily_unavailable'];

/** Login at another server by the authorization code flow: we are its client, and its code is exchanged from here. */
export class ExternalLogin {
  readonly #server: LoginServer;
  readonly #callbackUrl: string;
  readonly #outbound: Outbound;
  readonly #clock: Clock;

  constructor({
    server,
    callbackUrl,
    outbound,
    clock,
  }: {
    server: LoginServer;
    callbackUrl: string;
    outbound: Outbound;
    clock: Clock;
  }) {
    this.#server = server;
    this.#callbackUrl = callbackUrl;
    this.#outbound = outbound;
    this.#clock = clock;
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

  /**
   * Checks that the user logged in; returns how the claims about the user are read.
   * @throws DomainError with a code of RFC 6749 §4.1.2.1
   */
  async check({ code, error }: LoginAnswer, verifier: string): Promise<UserClaims> {
    if (error !== undefined) throw refusalOf(error);
    if (!isText(code)) throw oauthError('access_denied', 'The login server gave no code');
    const reply = await this.#exchange(code, verifier).catch(unreached);
    const { access_token: token, id_token: idToken } = reply.status === 200 ? readReply(reply) : {};
    if (!isText(token)) throw oauthError('access_denied', 'The login server did not accept the login');
    return () => (isText(idToken) ? this.#claims(idToken) : {});
  }

  /** The server itself sent the ID token, so its signature need not be verified (OpenID Connect Core §3.1.3.7, point 6). */
  #claims(idToken: string): JsonObject {
    const { header, payload } = catching(denied, () => parseJws(idToken, 'The ID token'));
    if (otherType(header.typ, 'id-token') !== undefined)
      throw oauthError('access_denied', 'The ID token of the login server has the type of another token');
    const { exp } = timeProblems(payload, { now: this.#clock.now(), skewMs: SKEW_MS, required: ['exp'] });
    if (!exp && asList(payload.aud).includes(this.#server.clientId)) return payload;
    throw oauthError('access_denied', 'The ID token of the login server has expired or is for another client');
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

const denied = replacing(undefined, (cause) => oauthError('access_denied', cause.message, { cause }));

function refusalOf(error: string): DomainError {
  if (PASSED_ON.includes(error)) return oauthError(error, 'The login server failed');
  if (OUR_FAULTS.includes(error)) return oauthError('server_error', 'The login server refused the request for a login');
  return oauthError('access_denied', 'The user was not logged in');
}

function unreached(cause: unknown): never {
  if (!isDomainError(cause)) throw cause;
  throw oauthError('temporarily_unavailable', 'The login server cannot be reached', { cause });
}

function readReply({ body }: OutboundReply): JsonObject {
  try {
    const reply = parseJson(fromUtf8(body));
    return isObject(reply) ? reply : {};
  } catch {
    return {};
  }
}
