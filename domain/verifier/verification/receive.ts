import type { Stored } from '../../../ports/store.ts';
import type { Clock, Ids, Random, Timers } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { equalInConstantTime, fingerprint } from '../../foundation/bytes.ts';
import { invalidField } from '../../foundation/errors.ts';
import type { ReceivedParameters, ResponseTools } from '../protocol.ts';
import type { Verifier } from '../verifier.ts';
import type { SessionEvents } from './events.ts';
import { type HeldSession, ResponseLeases } from './leases.ts';
import type { SessionOutcome, WalletReply } from './outcome.ts';
import { rulesOf } from './protocols.ts';
import type { SessionRepository, StoredSession } from './repository.ts';
import type { EvaluationTools, ReadResponse } from './rules.ts';
import {
  type ConcludedSession,
  checkAwaiting,
  concluded,
  leased,
  redeemed,
  type VerificationSession,
} from './session.ts';
import type { Verification } from './verification.ts';

/** Receives the responses of wallets, by any protocol. */
export class ResponseReceiver {
  readonly #leases: ResponseLeases;

  constructor(
    private readonly parts: ResponseTools & {
      sessions: SessionRepository;
      verification: Verification;
      tokens: EvaluationTools['tokens'];
      formats: CredentialFormats;
      events: SessionEvents;
      clock: Clock;
      timers: Timers;
      ids: Ids;
      random: Random;
    },
  ) {
    this.#leases = new ResponseLeases(parts);
  }

  /**
   * Verifies a wallet's response. The session is leased before the policies run, so that of several at once one is
   * verified and no webhook is called twice; the lease of a process that died ends by itself.
   * @throws DomainError `NotFound` after the end of the request, `BadRequest` when the response cannot be read (the
   * session stays usable), `Conflict` after another response, `Busy` while another one is verified
   */
  async receive(verifier: Verifier, session: StoredSession, received: ReceivedParameters): Promise<WalletReply> {
    const { verification, clock } = this.parts;
    checkAwaiting(session.value, clock.now());
    const { id } = session;
    const { request } = session.value;
    const rules = rulesOf(request);
    const response = await rules.parseResponse(received, { id, request }, this.parts);
    if ('refusal' in response) {
      const lease = this.#leases.create();
      const outcome = rules.refusedBy(response.refusal, { id, request });
      return this.#conclude(verifier, { session, lease }, outcome);
    }
    const { origin, idToken } = response;
    const submission = await verification.read(rules.taskOf(request, origin), response);
    const held = await this.#leases.take(session);
    const evaluate = () => this.#evaluate(verifier, { id, request, submission, origin, idToken });
    return this.#conclude(verifier, held, await this.#leases.run(held, evaluate));
  }

  /**
   * Exchanges the code that came back with the user's browser for the session with its outcome, once.
   * @throws DomainError `BadRequest` naming `response_code`, `Conflict` when it was used
   */
  async redeem<S extends StoredSession>(session: S, code: string): Promise<S> {
    const { responseCode } = { responseCode: undefined, ...session.value };
    if (responseCode !== undefined && !equalInConstantTime(responseCode, fingerprint(code)))
      throw invalidField(['response_code'], 'is not the code of this session');
    return { ...session, ...(await this.parts.sessions.move(session, { change: redeemed })) };
  }

  async #evaluate(verifier: Verifier, response: ReadResponse): Promise<SessionOutcome> {
    const { verification, tokens, formats, clock } = this.parts;
    const { request, submission, origin } = response;
    const rules = rulesOf(request);
    const startedAt = clock.now();
    const policies = async () => {
      const task = { ...rules.taskOf(request, origin), trust: await verifier.trust() };
      return verification.evaluatePolicies(task, submission, startedAt);
    };
    return rules.evaluate(response, { policies, tokens, formats, elapsed: () => clock.now() - startedAt });
  }

  /** Ends a session, which is leased where it is not yet. */
  async #conclude(
    { retention, witness }: Verifier,
    { session: from, lease }: Pick<HeldSession, 'lease'> & { session: StoredSession },
    outcome: SessionOutcome,
  ): Promise<WalletReply> {
    const { sessions, clock, events } = this.parts;
    const { request } = from.value;
    const rules = rulesOf(request);
    const isAccepted = rules.isAccepted(outcome);
    await witness?.({ sessionId: from.id, isAccepted });
    const code = isAccepted ? rules.newCode(request, this.parts) : undefined;
    const { showsCode } = { showsCode: undefined, ...request };
    const shownCode = showsCode ? code : undefined;
    const conclusion = { outcome, isAccepted, responseCode: code && fingerprint(code), shownCode };
    const change = (current: VerificationSession): ConcludedSession => {
      const held = from.value.state === 'verifying' ? current : leased(current, lease, clock.now());
      return concluded(held, lease, conclusion);
    };
    const end = clock.now() + retention.ms;
    const conclude = (): Promise<Stored<ConcludedSession>> =>
      sessions.move(from, { change, expiresAt: () => end, events: rules.stepsOf(outcome) });
    return rules.replyTo(await events.around(from, conclude), shownCode === undefined ? code : undefined);
  }
}
