import type { Clock, Random } from '../../ports/system.ts';
import { base64url } from '../foundation/bytes.ts';
import { isDomainError, oauthError } from '../foundation/errors.ts';
import { asList, isObject, isText, parseJson } from '../foundation/json.ts';
import type { IssuanceEvents } from './events.ts';
import { type IssuanceSession, identifierOf, renewNonce } from './issuance-session.ts';
import type { IssuanceSessionRepository } from './session-repository.ts';

export const PRE_AUTHORIZED = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

const CREDENTIAL_DETAIL = 'openid_credential';

/** 256 random bits as base64url: codes, access tokens and nonces. */
export const newSecret = (random: Random): string => base64url(random.bytes(32));

/** Whole seconds the session still has. */
export const secondsLeft = ({ expiresAt }: IssuanceSession, now: number): number =>
  Math.max(0, Math.floor((expiresAt - now) / 1000));

/** A token request (RFC 6749 §4.5, OpenID4VCI draft 13 §6.1); members that are not known are ignored. */
export interface TokenRequest {
  grant_type: string;
  'pre-authorized_code'?: string;
  tx_code?: string;
  client_id?: string;
  /** JSON (RFC 9396 §5). */
  authorization_details?: string;
}

/** What an access token is good for, credential by credential (OpenID4VCI draft 13 §6.2). */
export interface AuthorizationDetail {
  type: 'openid_credential';
  credential_configuration_id: string;
  credential_identifiers: string[];
}

/** OpenID4VCI draft 13 §6.2; times are in seconds. */
export interface TokenResponse {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  c_nonce: string;
  c_nonce_expires_in: number;
  /** For each configuration that the request names. */
  authorization_details?: AuthorizationDetail[];
}

/** What redeeming codes needs. */
export interface TokenEndpointParts {
  sessions: IssuanceSessionRepository;
  events: IssuanceEvents;
  clock: Clock;
  random: Random;
}

/** The token endpoint of the issuer. */
export class TokenEndpoint {
  readonly #parts: TokenEndpointParts;

  constructor(parts: TokenEndpointParts) {
    this.#parts = parts;
  }

  /**
   * Redeems a pre-authorized code. The code is spent before anything else happens, so of any number of requests one
   * can go on; when that one fails, the code is good again.
   * @throws DomainError `BadRequest` with a code of RFC 6749 §5.2, `CallbackFailed`
   */
  async redeem(request: TokenRequest): Promise<TokenResponse> {
    const session = await this.#parts.sessions.redeemCode(readCode(request));
    if (!session) throw oauthError('invalid_grant', 'The pre-authorized code is unknown, used or expired');
    try {
      return await this.#grant(session, request);
    } catch (error) {
      // Its own failure must not hide the first one; the offer is then lost, never doubled.
      await this.#parts.sessions.issueCode(session).catch(() => undefined);
      throw error;
    }
  }

  async #grant(session: IssuanceSession, { grant_type, client_id, ...request }: TokenRequest): Promise<TokenResponse> {
    const { sessions, events, clock, random } = this.#parts;
    const details = detailsFor(session, request.authorization_details);
    await events.send(session, 'requested_token', { grant_type, ...(isText(client_id) ? { client_id } : {}) });
    const [token, nonce] = [newSecret(random), newSecret(random)];
    await sessions.storeToken(token, session);
    await sessions.move(session, (current) => renewNonce(current, nonce)).catch(refuseGrant);
    const seconds = secondsLeft(session, clock.now());
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: seconds,
      c_nonce: nonce,
      c_nonce_expires_in: seconds,
      ...(details.length > 0 && { authorization_details: details }),
    };
  }
}

/** Names every credential of the configurations asked for; other details are ignored. @throws DomainError `BadRequest` for broken JSON */
function detailsFor({ items }: IssuanceSession, text: string | undefined): AuthorizationDetail[] {
  const asked = asList(isText(text) ? parseJson(text) : undefined).filter(isObject);
  const ids = asked.flatMap(({ type, credential_configuration_id: id }) => (type === CREDENTIAL_DETAIL ? [id] : []));
  return [...new Set(ids.filter(isText))].flatMap((id) => {
    const named = items.filter(({ content }) => content.configurationId === id).map(identifierOf);
    if (named.length === 0) return [];
    return [{ type: CREDENTIAL_DETAIL, credential_configuration_id: id, credential_identifiers: named }];
  });
}

function refuseGrant(error: unknown): never {
  throw isDomainError(error, 'Conflict') ? oauthError('invalid_grant', error.message, { cause: error }) : error;
}

function readCode(request: TokenRequest): string {
  if (request.grant_type !== PRE_AUTHORIZED)
    throw oauthError('unsupported_grant_type', `grant_type must be ${PRE_AUTHORIZED}`);
  if (!isText(request['pre-authorized_code'])) throw oauthError('invalid_request', 'pre-authorized_code is required');
  if (isText(request.tx_code)) throw oauthError('invalid_request', 'tx_code: this offer has no transaction code');
  return request['pre-authorized_code'];
}
