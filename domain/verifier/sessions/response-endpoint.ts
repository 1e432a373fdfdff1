import type { Clock, Ids, Random, Timers } from '../../../ports/system.ts';
import { equalInConstantTime, fingerprint } from '../../foundation/bytes.ts';
import { invalidField } from '../../foundation/errors.ts';
import type { Lease } from '../../foundation/lease.ts';
import { errorDescription } from '../../oauth/error-description.ts';
import { newSecret } from '../../oauth/secrets.ts';
import { parseResponse, type ReceivedResponse, type WalletRefusal } from '../openid4vp/v1-response.ts';
import type { PresentationVerifier } from '../presentation-verifier.ts';
import type { ResponseEncryption } from '../response-encryption.ts';
import { ResponseLeases } from '../response-leases.ts';
import type { MdocFlow } from './mdoc-flow.ts';
import type { SessionFailure, SessionOutcome } from './outcome.ts';
import type { PresentationSessionRepository, StoredSession } from './repository.ts';
import { checkOpen } from './request-endpoint.ts';
import type { ResponseEvaluation } from './response-evaluation.ts';
import { checkFree, claimed, concluded, type PresentationSession, redeemed, released } from './session.ts';
import type { SessionEvent, SessionEvents } from './session-events.ts';

/** What the response endpoint needs. */
export interface ResponseEndpointParts {
  sessions: PresentationSessionRepository;
  evaluation: ResponseEvaluation;
  encryption: ResponseEncryption;
  mdocFlow: MdocFlow;
  events: SessionEvents;
  clock: Clock;
  timers: Timers;
  ids: Ids;
  random: Random;
}

/** What a wallet is answered (OpenID4VP 1.0 §8.2). */
export type ResponseReply =
  | { isRejected: false; status: 'received' | 'acknowledged'; message: string; redirectUri?: string }
  | { isRejected: true; description: string; redirectUri?: string };

/** A session that ends, and the change that brings it under the lease when it is not yet. */
interface EndingSession {
  session: StoredSession;
  lease: Lease;
  claim?(current: PresentationSession): PresentationSession;
}

/** Takes the responses of wallets. */
export class ResponseEndpoint {
  readonly #parts: ResponseEndpointParts;
  readonly #leases: ResponseLeases<PresentationSession>;

  constructor(parts: ResponseEndpointParts) {
    this.#parts = parts;
    this.#leases = new ResponseLeases({ ...parts, lease: claimed, release: released });
  }

  /**
   * Takes a response. The session is claimed before policies run, so that of several at once one is verified and no
   * webhook of a policy is called twice; the claim of a process that died ends by itself.
   * @throws DomainError `NotFound`, `BadRequest` when the response cannot be read (the session stays usable), `Conflict`
   * after another response, `Busy` while another one is verified
   */
  async receive(verifier: PresentationVerifier, requestId: string, received: ReceivedResponse): Promise<ResponseReply> {
    const { sessions, evaluation, encryption, mdocFlow, events, clock } = this.#parts;
    const session = await sessions.requested(verifier, requestId);
    checkOpen(session, clock.now());
    checkFree(session.value, clock.now());
    const { request } = session.value;
    const response = request.mdocs
      ? await mdocFlow.parse(received, request)
      : await parseResponse(received, request, encryption);
    if ('refusal' in response) {
      const lease = this.#leases.create();
      const claim = (current: PresentationSession) => claimed(current, lease, clock.now());
      return this.#conclude(verifier, { session, lease, claim }, { failure: failureOf(response.refusal) });
    }
    const submitted = await evaluation.read(request, response);
    const held = await this.#leases.take(session);
    await events.record(held.session, ['attempted_presentation']);
    const evaluate = () => evaluation.evaluate(verifier, request, { ...submitted, now: clock.now() });
    return this.#conclude(verifier, held, await this.#leases.run(held, evaluate));
  }

  /**
   * Exchanges the code that came back with the user's browser for the session with its outcome, once.
   * @throws DomainError `NotFound`, `BadRequest` naming `response_code`, `Conflict` when it was used
   */
  async redeem(verifier: PresentationVerifier, id: string, code: string): Promise<StoredSession> {
    const { sessions } = this.#parts;
    const session = await sessions.get(verifier, id);
    const { responseCode } = { responseCode: undefined, ...session.value };
    if (responseCode !== undefined && !equalInConstantTime(responseCode, fingerprint(code)))
      throw invalidField(['response_code'], 'is not the code of this session');
    return sessions.move(session, { change: redeemed });
  }

  async #conclude(
    { retention }: PresentationVerifier,
    { session: from, lease, claim = (current) => current }: EndingSession,
    outcome: SessionOutcome,
  ): Promise<ResponseReply> {
    const { sessions, clock, random, events } = this.#parts;
    const { redirects } = from.value.request;
    const code = outcome.failure || redirects.success === undefined ? undefined : newSecret(random);
    const responseCode = code === undefined ? {} : { responseCode: fingerprint(code) };
    const session = await sessions.move(from, {
      change: (current) => concluded(claim(current), lease, { outcome, ...responseCode }),
      expiresAt: () => clock.now() + retention.ms,
    });
    await events.record(session, eventsOf(outcome), from);
    return replyOf(session, code);
  }
}

/** The events of a response: as far as it got. */
function eventsOf({ failure }: SessionOutcome): SessionEvent[] {
  if (failure?.type === 'wallet_error_response') return ['wallet_error_response_received'];
  const parsed: SessionEvent[] = ['parsed_presentation_available', 'presentation_validation_available'];
  if (failure?.type === 'presentation_validation' || failure?.type === 'id_token_validation')
    return [...parsed, 'presentation_validation_failed'];
  parsed.push('validated_credentials_available');
  if (failure?.type === 'dcql_fulfillment') return [...parsed, 'dcql_fulfillment_check_failed'];
  return [...parsed, 'presentation_fulfils_dcql_query', 'credential_policy_results_available'];
}

const failureOf = ({ error, description }: WalletRefusal): SessionFailure => ({
  type: 'wallet_error_response',
  reason: `Wallet returned OID4VP error: ${error}`,
  error,
  ...(description !== undefined && { error_description: description }),
});

function replyOf({ value }: StoredSession, code: string | undefined): ResponseReply {
  const { success, error } = value.request.redirects;
  const failure = 'outcome' in value ? value.outcome.failure : undefined;
  if (!failure) {
    const redirect = success !== undefined && code !== undefined ? { redirectUri: withCode(success, code) } : {};
    return {
      isRejected: false,
      status: 'received',
      message: 'Presentation received and is being processed.',
      ...redirect,
    };
  }
  const redirect = error === undefined ? {} : { redirectUri: error };
  if (failure.type !== 'wallet_error_response')
    return { isRejected: true, description: errorDescription(failure.reason).slice(0, MAX_DESCRIPTION), ...redirect };
  return { isRejected: false, status: 'acknowledged', message: 'The error was received.', ...redirect };
}

const MAX_DESCRIPTION = 1024;

/** Adds the code to the query of a URL; the fragment stays at the end. */
function withCode(uri: string, code: string): string {
  const url = new URL(uri);
  url.searchParams.append('response_code', code);
  return url.href;
}
