import type { Log } from '../../ports/log.ts';
import type { Outbound } from '../../ports/outbound.ts';
import { isDomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { isoDuration } from '../foundation/time.ts';
import type { PresentationDefinition } from '../presentation/exchange/definition.ts';
import type { PolicyResult } from './policies/policy.ts';
import type {
  ConcludedSession,
  CredentialResult,
  VerificationOutcome,
  VerificationSession,
} from './verification-session.ts';

/** One credential's results; clients read the list under both names. */
interface CredentialResultView extends CredentialResult {
  policyResults: PolicyResult[];
}

/** A session as its verifier sees it, by request and by callback (interface: Verification result). */
export interface SessionView {
  id: string;
  presentationDefinition: PresentationDefinition;
  tokenResponse?: JsonObject;
  verificationResult?: boolean;
  policyResults?: { results: CredentialResultView[]; time: string; policiesRun: number };
}

/** Shows a session: without a result until a wallet has responded, and never with the key of the callback. */
export function sessionView(id: string, session: VerificationSession): SessionView {
  const view = { id, presentationDefinition: session.request.query.definition };
  if (!('outcome' in session)) return view;
  const { tokenResponse, results, tookMs } = session.outcome;
  const policyResults = results && {
    results: results.map(({ credential, policies }) => ({ credential, policies, policyResults: policies })),
    time: isoDuration(tookMs),
    policiesRun: results.reduce((sum, { policies }) => sum + policies.length, 0),
  };
  const verificationResult = session.state === 'verified';
  return { ...view, tokenResponse, verificationResult, ...(policyResults && { policyResults }) };
}

/** Puts the session's id into a URL of the verifier (interface: Headers of `POST /openid4vc/verify`). */
const withSessionId = (uri: string, id: string): string => uri.replaceAll('$id', encodeURIComponent(id));

/** Sends results to the verifiers that asked for them (interface: Verification callback). */
export class ResultCallback {
  readonly #outbound: Outbound;
  readonly #log: Log;

  constructor({ outbound, log }: { outbound: Outbound; log: Log }) {
    this.#outbound = outbound;
    this.#log = log;
  }

  /** Posts the result to the URL of the request, if it has one; a failed delivery is only logged. */
  async send(state: string, session: ConcludedSession): Promise<void> {
    const { statusCallbackUri: uri, statusCallbackApiKey: key } = session.request;
    if (uri === undefined) return;
    const headers = { 'content-type': 'application/json', ...(key !== undefined && { authorization: key }) };
    const body = JSON.stringify(sessionView(state, session));
    try {
      const url = withSessionId(uri, state);
      const { status } = await this.#outbound.send({ method: 'POST', url, expects: 'callback-reply', headers, body });
      if (status >= 400) this.#log.warn('A verification callback was refused', { state, status });
    } catch (error) {
      const reason = isDomainError(error) ? error.code : 'unknown';
      this.#log.warn('A verification callback could not be delivered', { state, reason });
    }
  }
}

/** The answer to the wallet whose response ended a session (OpenID4VP draft 20 §6.2). */
export type WalletReply =
  | { accepted: true; redirectUri?: string }
  | { accepted: false; error: string; description: string; errorUri?: string };

export function replyTo(id: string, { state, request, outcome }: ConcludedSession): WalletReply {
  const { successRedirectUri: success, errorRedirectUri: error } = request;
  if (state === 'verified')
    return { accepted: true, ...(success !== undefined && { redirectUri: withSessionId(success, id) }) };
  const reason = { error: textOr(outcome.tokenResponse.error, 'invalid_request'), description: descriptionOf(outcome) };
  return { accepted: false, ...reason, ...(error !== undefined && { errorUri: withSessionId(error, id) }) };
}

const MAX_REASON = 120;

/** Why the verification failed, in a sentence of printable ASCII. */
function descriptionOf({ results, tokenResponse }: VerificationOutcome): string {
  if (!results) return printable(textOr(tokenResponse.error_description, 'The wallet refused the request'));
  const broken = results.flatMap(({ policies }) => policies.filter((policy) => !policy.is_success));
  const reasons = broken.map(({ policy, error }) => `${policy} (${reasonOf(error)})`);
  return printable(`Verification policies did not succeed: ${reasons.slice(0, 16).join(', ')}`);
}

const textOr = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback;

const reasonOf = (error: unknown): string =>
  typeof error === 'string' ? error.slice(0, MAX_REASON) : String(Reflect.get(Object(error), 'type') ?? 'failed');

/** RFC 6749 §5.2: error_description has no quotes, no backslash and only printable ASCII. */
const printable = (text: string): string => text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, '?');
