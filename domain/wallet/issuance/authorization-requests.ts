import { DomainError } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import { CODE_CHALLENGE_METHOD, codeChallenge } from '../../oauth/pkce.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { configurationOf } from './issuer-directory.ts';
import type { ParsedOffer } from './offer-links.ts';
import { createAuthorizationDetails } from './openid4vci.ts';

/** One login of a user: secrets of the wallet, and where the answer goes. */
export interface LoginAttempt {
  redirectUri: string;
  state: string;
  /** The server's code is good with it only (RFC 7636). */
  verifier: string;
}

/** What an authorization request is about. */
interface AuthorizationPurpose {
  offer: ParsedOffer;
  /** Of the issuer. */
  metadata: JsonObject;
  server: AuthorizationServer;
  attempt: LoginAttempt;
  /** Whether scopes name the credentials although the server takes details. */
  usesScope?: boolean;
}

/** What the redirect of an authorization server has (RFC 6749 §4.1.2, RFC 9207 §2). */
export interface AuthorizationResponse {
  state: string;
  code?: string;
  iss?: string;
  error?: string;
  errorDescription?: string;
}

/** The parameters of a request but for the client's (OpenID4VCI 1.0 §5.1). @throws DomainError `BadRequest` */
export function authorizationParameters({
  offer,
  metadata,
  server,
  usesScope = false,
  attempt: { redirectUri, state, verifier },
}: AuthorizationPurpose): Record<string, string> {
  return {
    redirect_uri: redirectUri,
    state,
    code_challenge: codeChallenge(verifier),
    code_challenge_method: CODE_CHALLENGE_METHOD,
    ...(offer.issuerState !== undefined && { issuer_state: offer.issuerState }),
    ...(server.takesDetails && !usesScope
      ? { authorization_details: createAuthorizationDetails(offer, metadata) }
      : { scope: scopeOf(offer, metadata) }),
  };
}

/** The scopes of all configurations of an offer. */
function scopeOf({ configurationIds }: ParsedOffer, metadata: JsonObject): string {
  const scopes = configurationIds.map((id) => {
    const { scope } = configurationOf(metadata, id);
    if (isText(scope)) return scope;
    throw new DomainError(
      'BadRequest',
      `The credentials are to be named by scopes, and "${id.slice(0, 100)}" has none`,
    );
  });
  return [...new Set(scopes)].join(' ');
}
