import type { Clock } from '../../ports/system.ts';
import type { EventDelivery, StoredEvent } from '../events/delivery.ts';
import type { JsonObject } from '../foundation/json.ts';
import { isoDuration, isoMillis } from '../foundation/time.ts';
import { errorDescription } from '../oauth/error-description.ts';
import type { PresentationDefinition } from '../presentation/exchange/definition.ts';
import type { CredentialHandle } from './credential-handles.ts';
import type { PolicyResult } from './policies/policy.ts';
import type { CredentialResult } from './presentation-evaluation.ts';
import type { StoredSession, VerificationSessionRepository } from './session-repository.ts';
import type { ConcludedSession, VerificationOutcome, VerificationSession } from './verification-session.ts';

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
  /** Of the presented credentials, when what was presented was handed over and deleted. */
  credentialHandles?: CredentialHandle[];
  handoverDate?: string;
}

/** Shows a session: without a result until a wallet has responded, and never with the key of the callback. */
export function sessionView(id: string, session: VerificationSession): SessionView {
  const view = { id, presentationDefinition: session.request.query.definition };
  if (!('outcome' in session)) return view;
  const { tokenResponse, results, tookMs, handles, handedOverAt: at } = session.outcome;
  const policyResults = results && {
    results: results.map(({ credential, policies }) => ({ credential, policies, policyResults: policies })),
    time: isoDuration(tookMs),
    policiesRun: results.reduce((sum, { policies }) => sum + policies.length, 0),
  };
  const verificationResult = session.state === 'verified';
  const handover = at !== undefined && { handoverDate: isoMillis(at), ...(handles && { credentialHandles: handles }) };
  return { ...view, tokenResponse, verificationResult, ...(policyResults && { policyResults }), ...handover };
}

/** Puts the session's id into a URL of the verifier (interface: Headers of `POST /openid4vc/verify`). */
const withSessionId = (uri: string, id: string): string => uri.replaceAll('$id', encodeURIComponent(id));

/** How long the event of a result is stored at most, in milliseconds. */
const RETENTION_MS = 24 * 3600 * 1000;

/** The log of a session's events: its target, which has no slash, and its id. */
const logOf = ({ parent, id }: Pick<StoredSession, 'parent' | 'id'>): string => `${parent}/${id}`;

/** The session of a log of events. */
export function sessionOf(log: string): { target: string; id: string } {
  const end = log.indexOf('/');
  return { target: log.slice(0, end), id: log.slice(end + 1) };
}

/** Composes the body of a result's event; undefined while the session is not concluded. */
export async function resultBody(
  sessions: Pick<VerificationSessionRepository, 'find'>,
  log: string,
): Promise<string | undefined> {
  const { target, id } = sessionOf(log);
  const session = await sessions.find(target, id);
  return session && 'outcome' in session.value ? JSON.stringify(sessionView(id, session.value)) : undefined;
}

/** Sends results to the verifiers that asked for them (interface: Verification callback). */
export class ResultCallback {
  readonly #delivery: EventDelivery;
  readonly #clock: Clock;

  constructor({ delivery, clock }: { delivery: EventDelivery; clock: Clock }) {
    this.#delivery = delivery;
    this.#clock = clock;
  }

  /**
   * Concludes a session and sends its result to the URL of its request, if it has one. The event is stored first, so a
   * process that is killed after the conclusion leaves it to another one. A failed delivery changes nothing for the
   * wallet; it is tried again later.
   */
  async around<T>(session: StoredSession, conclude: () => Promise<T>): Promise<T> {
    const event = await this.#append(session);
    if (!event) return conclude();
    const concluded = await conclude().catch(async (error) => {
      await this.#delivery.withdraw(event).catch(() => undefined);
      throw error;
    });
    await this.#delivery.deliver(event, 'retry').catch(() => undefined);
    return concluded;
  }

  async #append(session: StoredSession): Promise<StoredEvent | undefined> {
    const { statusCallbackUri: uri, statusCallbackApiKey: authorization } = session.value.request;
    if (uri === undefined) return undefined;
    return this.#delivery.append({
      session: logOf(session),
      destination: { url: withSessionId(uri, session.id), authorization },
      step: 'result',
      isOnce: false,
      type: 'result',
      expiresAt: this.#clock.now() + RETENTION_MS,
    });
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
  if (!results) return errorDescription(textOr(tokenResponse.error_description, 'The wallet refused the request'));
  const broken = results.flatMap(({ policies }) => policies.filter((policy) => !policy.is_success));
  const reasons = broken.map(({ policy, error }) => `${policy} (${reasonOf(error)})`);
  return errorDescription(`Verification policies did not succeed: ${reasons.slice(0, 16).join(', ')}`);
}

const textOr = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback;

const reasonOf = (error: unknown): string =>
  typeof error === 'string' ? error.slice(0, MAX_REASON) : String(Reflect.get(Object(error), 'type') ?? 'failed');
