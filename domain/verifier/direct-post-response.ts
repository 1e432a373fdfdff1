import type { VerificationOutcome, VerificationSession } from './verification-session.ts';

/** What the wallet is told of its answer. */
export type WalletReply =
  | { accepted: true; redirectUri?: string }
  | { accepted: false; error: string; description: string; errorUri?: string };

/** Puts the session's id where a verifier's URL wants it (interface: Headers of `POST /openid4vc/verify`). */
export const withSessionId = (uri: string, id: string): string => uri.replaceAll('$id', encodeURIComponent(id));

/** The reply to whoever sent the answer that ended this session. */
export function replyTo(id: string, session: VerificationSession): WalletReply {
  const { successRedirectUri: success, errorRedirectUri: error } = session.request;
  if (session.state === 'verified')
    return { accepted: true, ...(success !== undefined && { redirectUri: withSessionId(success, id) }) };
  return { accepted: false, ...failureOf(session), ...(error !== undefined && { errorUri: withSessionId(error, id) }) };
}

function failureOf(session: VerificationSession): { error: string; description: string } {
  if (!('outcome' in session)) throw new Error('The session has not ended');
  const { error } = session.outcome.tokenResponse;
  return { error: textOr(error, 'invalid_request'), description: failureDescription(session.outcome) };
}

const MAX_REASON = 120;

/** In a sentence of printable ASCII, what a presentation failed by. */
function failureDescription({ results, tokenResponse }: VerificationOutcome): string {
  if (!results) return printable(textOr(tokenResponse.error_description, 'The wallet refused the request'));
  const broken = results.flatMap(({ policies }) => policies.filter((policy) => !policy.is_success));
  const reasons = broken.map(({ policy, error }) => `${policy} (${reasonOf(error)})`);
  return printable(`Verification policies did not succeed: ${reasons.slice(0, 16).join(', ')}`);
}

const textOr = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback;

const reasonOf = (error: unknown): string =>
  typeof error === 'string' ? error.slice(0, MAX_REASON) : String(Reflect.get(Object(error), 'type') ?? 'failed');

/** RFC 6749 §5.2: error_description has no quotes, no backslash and nothing outside printable ASCII. */
const printable = (text: string): string => text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, '?');
