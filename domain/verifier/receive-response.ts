import type { Clock, Ids, Timers } from '../../ports/system.ts';
import { handleOf } from './credential-handles.ts';
import { parseResponse, type ResponseForm } from './openid4vp/draft20.ts';
import { inOrder } from './presentation-evaluation.ts';
import type { ResponseEncryption } from './response-encryption.ts';
import { type HeldSession, ResponseLeases } from './response-leases.ts';
import { type ResultCallback, replyTo, type WalletReply } from './result.ts';
import type { StoredSession, VerificationSessionRepository } from './session-repository.ts';
import type { Verification } from './verification.ts';
import {
  type ConcludedSession,
  checkFree,
  concluded,
  leased,
  released,
  type VerificationSession,
} from './verification-session.ts';
import type { Submission } from './verification-task.ts';
import type { VerifierProfile } from './verifier-profile.ts';
import { redirectToWallet } from './wallet-started.ts';

/** What `ReceiveResponse` works with. */
export interface ReceiveResponseParts {
  sessions: VerificationSessionRepository;
  verification: Verification;
  callback: ResultCallback;
  encryption: ResponseEncryption;
  clock: Clock;
  timers: Timers;
  ids: Ids;
}

/** The answer to a wallet that began the verification itself. */
export interface WalletRedirect {
  accepted: boolean;
  location: string;
}

/** Receives the responses of wallets. */
export class ReceiveResponse {
  readonly #parts: ReceiveResponseParts;
  readonly #leases: ResponseLeases<VerificationSession>;

  constructor(parts: ReceiveResponseParts) {
    this.#parts = parts;
    this.#leases = new ResponseLeases({ ...parts, lease: leased, release: released });
  }

  /**
   * Verifies a wallet's response. The session is leased before the policies run, so that of two concurrent responses
   * one is refused and no webhook is called twice; the lease of a process that died ends by itself.
   * @throws DomainError `NotFound`, `BadRequest` when the response cannot be parsed (the session stays usable),
   * `Conflict` after another response, `Busy` while another one is verified
   */
  async receive(profile: VerifierProfile, state: string, form: ResponseForm): Promise<WalletReply | WalletRedirect> {
    const { sessions, verification, encryption, clock } = this.#parts;
    const session = await sessions.get(profile, state);
    checkFree(session.value, clock.now());
    const { request } = session.value;
    const response = await parseResponse(form, { request, state, encryption });
    if ('refusal' in response) {
      const lease = this.#leases.create();
      const outcome = { tokenResponse: { ...response.refusal, state }, tookMs: 0 };
      return this.#conclude(profile, session, (current) =>
        concluded(leased(current, lease, clock.now()), lease, outcome),
      );
    }
    const submitted = await verification.read(request, response);
    const held = await this.#leases.take(session);
    const evaluated = await this.#evaluate(held, submitted);
    const { token, document, credentials } = submitted;
    const tokenResponse = { vp_token: token, presentation_submission: document, state };
    const handles = credentials.map(handleOf);
    const outcome = { tokenResponse, handles, ...evaluated };
    return this.#conclude(profile, held.session, (current) => concluded(current, held.lease, outcome));
  }

  async #evaluate(held: HeldSession<VerificationSession>, submitted: Submission) {
    const { clock, verification } = this.#parts;
    const startedAt = clock.now();
    const evaluate = () => verification.evaluatePolicies(held.session.value.request, submitted, startedAt);
    const results = await this.#leases.run(held, evaluate);
    return { results: inOrder(results), tookMs: clock.now() - startedAt };
  }

  async #conclude(
    { retention }: VerifierProfile,
    session: StoredSession,
    change: (current: VerificationSession) => ConcludedSession,
  ): Promise<WalletReply | WalletRedirect> {
    const { sessions, callback, clock, ids } = this.#parts;
    const move = { change, expiresAt: () => clock.now() + retention.ms };
    const { value } = await callback.around(session, () => sessions.move(session, move));
    return value.request.startedByWallet
      ? { accepted: value.state === 'verified', location: redirectToWallet(value, ids.uuid()) }
      : replyTo(session.id, value);
  }
}
