import type { Outbound, OutboundRequest } from '../../../ports/outbound.ts';
import { DomainError } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import { thumbprint } from '../../jose/jwk.ts';
import { isCallableUrl } from '../../network/urls.ts';
import { DPOP } from '../../oauth/dpop-proof.ts';
import { ProtocolClient } from '../protocol-client.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { ClientAuthentication, ClientCredentials, ClientOptions } from './client-authentication.ts';
import type { AccessGrant, DpopBinding, DpopCalls } from './dpop-calls.ts';

const FORM_HEADERS = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };

/** What the wallet is to an authorization server during one issuance; plain JSON, with a private key. */
export interface ClientSession {
  server: AuthorizationServer;
  /** Absent for a client that redeems a pre-authorized code without a name. */
  clientId?: string;
  credentials: ClientCredentials;
  dpop?: DpopBinding;
}

/** A refresh token, and the client that it was given to. */
export interface RefreshGrant {
  token: string;
  session: ClientSession;
}

/** An access token, and what came with it. */
interface TokenAnswer {
  grant: AccessGrant;
  /** Its life in seconds, if stated. */
  expiresIn?: number;
  /** By which the next token is asked for (RFC 6749 §6). */
  refreshToken?: string;
  /** The nonce of the drafts (OpenID4VCI draft 13 §6.2). */
  nonce?: string;
  /** The member `authorization_details`. */
  details: unknown;
}

/** A form for an endpoint of the server of a session. */
interface FormRequest {
  session: ClientSession;
  url: string;
  form: Record<string, string>;
  dpop?: DpopBinding;
}

/** The wallet as a client of authorization servers; tokens are bound to a new key wherever the server takes DPoP proofs. */
export class OauthClient {
  readonly #client: ProtocolClient;

  constructor(private readonly parts: { outbound: Outbound; dpop: DpopCalls; authentication: ClientAuthentication }) {
    this.#client = new ProtocolClient(parts.outbound, 'issuer');
  }

  /**
   * A session of a client that authenticates as the server wants it.
   * @throws DomainError as `ClientAuthentication.open`
   */
  async open(server: AuthorizationServer, options: ClientOptions = {}): Promise<ClientSession> {
    const { authentication, dpop } = this.parts;
    const credentials = await authentication.open(server, this.#client, options);
    const { clientId = authentication.clientId } = options;
    return { server, clientId, credentials, dpop: await dpop.bind(server.dpopAlgorithms) };
  }

  /**
   * A session for a pre-authorized code: of a client without a name where the server takes that, and where it takes no
   * method of the wallet, since many servers do not say that they take it. What a caller wants comes before that.
   */
  async openForCode(
    server: AuthorizationServer,
    { isAnonymous = server.takesAnonymousCodes, ...options }: ClientOptions & { isAnonymous?: boolean } = {},
  ): Promise<ClientSession> {
    const { authentication, dpop } = this.parts;
    const isUnnamed = isAnonymous && !options.headers && options.clientId === undefined;
    const chosen = isUnnamed ? undefined : await authentication.choose(server, this.#client, options);
    const credentials = chosen ?? { method: 'none' };
    const own = credentials.method === 'none' ? undefined : authentication.clientId;
    const clientId = options.clientId ?? own;
    return { server, clientId, credentials, dpop: await dpop.bind(server.dpopAlgorithms) };
  }

  /**
   * The URL at which the user logs in; the request is pushed where the server takes that (RFC 9126).
   * @throws DomainError `BadRequest` with the server's reason or without an endpoint, `UpstreamFailed`, `UpstreamTimeout`
   */
  async authorizationUrl(session: ClientSession, parameters: Record<string, string>): Promise<string> {
    const { server, clientId, dpop } = session;
    const { authorizationEndpoint: endpoint, pushEndpoint: url } = server;
    if (!isCallableUrl(endpoint) || endpoint.includes('#'))
      throw new DomainError('BadRequest', 'The authorization server names no authorization_endpoint for browsers');
    const named: Record<string, string> = clientId === undefined ? {} : { client_id: clientId };
    const bound = dpop && { dpop_jkt: thumbprint(dpop.key.publicJwk) };
    const form = { response_type: 'code', ...named, ...parameters, ...bound };
    const query: Record<string, string> =
      url === undefined ? form : { ...named, request_uri: await this.#push({ session, url, form }) };
    const location = new URL(endpoint);
    for (const [name, value] of Object.entries(query)) location.searchParams.set(name, value);
    return location.href;
  }

  /** @throws DomainError `BadRequest` with the server's reason, `UpstreamFailed`, `UpstreamTimeout` */
  async redeem(session: ClientSession, form: Record<string, string>): Promise<TokenAnswer> {
    const { server, clientId, dpop } = session;
    const named = clientId === undefined ? form : { ...form, client_id: clientId };
    const token = await this.#post({ session, url: server.tokenEndpoint, form: named, dpop });
    const { c_nonce: nonce, authorization_details: details, expires_in: expiresIn, refresh_token: refresh } = token;
    return {
      grant: readGrant(token, dpop),
      details,
      ...(isText(nonce) && { nonce }),
      ...(isText(refresh) && { refreshToken: refresh }),
      ...(isSeconds(expiresIn) && { expiresIn }),
    };
  }

  async #push(request: FormRequest): Promise<string> {
    const { request_uri: uri } = await this.#post(request);
    if (isText(uri)) return uri;
    throw new DomainError('UpstreamFailed', 'The authorization server gave no request_uri for the pushed request');
  }

  /** Sends a form with the proofs of the client, and once more with the challenge that the server wants in them. */
  async #post({ session, url, form, dpop }: FormRequest): Promise<JsonObject> {
    const { authentication } = this.parts;
    const make = async (): Promise<OutboundRequest> => {
      const proven = await authentication.prove(session);
      return {
        method: 'POST',
        url,
        expects: 'token-response',
        headers: { ...FORM_HEADERS, ...proven.headers },
        body: new URLSearchParams({ ...form, ...proven.form }).toString(),
      };
    };
    const reply = await this.parts.dpop.send(make, { dpop });
    const isChallenged = authentication.isChallenged(session, reply);
    return this.#client.objectOf(isChallenged ? await this.parts.dpop.send(make, { dpop }) : reply);
  }
}

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** The token of a response (RFC 6749 §5.1); a server may give a bearer token although it was sent a proof (RFC 9449 §5). */
function readGrant({ access_token: accessToken, token_type: type }: JsonObject, dpop?: DpopBinding): AccessGrant {
  if (!isText(accessToken)) throw new DomainError('UpstreamFailed', 'The issuer gave no access_token');
  const isBound = String(type).toLowerCase() === DPOP.SCHEME.toLowerCase();
  if (isBound && !dpop) throw new DomainError('UpstreamFailed', 'The access token is bound to a key that was not sent');
  return { accessToken, ...(isBound && { dpop }) };
}
