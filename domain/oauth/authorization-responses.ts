import type { DomainError } from '../foundation/errors.ts';
import { errorDescription } from './error-description.ts';

/** Where the answer to an authorization request goes. */
export interface ReturnAddress {
  redirectUri: string;
  /** Returned unchanged (RFC 6749 §4.1.1). */
  state?: string;
}

/** What the client learns: a code, or why there is none. */
type AuthorizationOutcome = { code: string } | { error: DomainError };

/**
 * The URL of the redirect to the client: the outcome, its `state` and the issuer (`iss`, RFC 9207 §2) are added to the
 * query of the redirect URI, which stays as it is (RFC 6749 §3.1.2).
 */
export function authorizationRedirect(
  { redirectUri, state }: ReturnAddress,
  outcome: AuthorizationOutcome,
  issuer: string,
): string {
  const answer = new URLSearchParams('code' in outcome ? { code: outcome.code } : errorMembers(outcome.error));
  if (state !== undefined) answer.set('state', state);
  answer.set('iss', issuer);
  const separator = redirectUri.includes('?') ? (/[?&]$/.test(redirectUri) ? '' : '&') : '?';
  return `${redirectUri}${separator}${answer}`;
}

/** A failure without a code of the protocol is of the server, and its text is not for the client (RFC 6749 §4.1.2.1). */
const errorMembers = ({ oauthError, message }: DomainError): Record<string, string> =>
  oauthError === undefined
    ? { error: 'server_error' }
    : { error: oauthError, error_description: errorDescription(message) };
