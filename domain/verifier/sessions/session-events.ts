import type { Log } from '../../../ports/log.ts';
import type { Clock } from '../../../ports/system.ts';
import type { EventDelivery } from '../../events/delivery.ts';
import { reasonOf } from '../../foundation/errors.ts';
import type { StoredSession } from './repository.ts';
import { reportedSession } from './session-view.ts';

/** The steps of a verification (reference: events of sessions). */
export type SessionEvent =
  | 'authorization_request_requested'
  | 'attempted_presentation'
  | 'parsed_presentation_available'
  | 'presentation_validation_available'
  | 'validated_credentials_available'
  | 'presentation_fulfils_dcql_query'
  | 'credential_policy_results_available'
  | 'presentation_validation_failed'
  | 'dcql_fulfillment_check_failed'
  | 'wallet_error_response_received'
  | 'data_retention_purge';

/** What reporting needs. */
export interface SessionEventsParts {
  delivery: Pick<EventDelivery, 'open' | 'recordAll'>;
  log: Log;
  clock: Clock;
}

/**
 * The history of sessions: each step is stored for those who follow the session and sent to its webhook, without a wait
 * and without an effect on the verification. What was presented is not part of it.
 */
export class SessionEvents {
  readonly #parts: SessionEventsParts;

  constructor(parts: SessionEventsParts) {
    this.#parts = parts;
  }

  /** Opens the history of a new session. */
  open(session: StoredSession): Promise<void> {
    const { expiresAt = 0, value } = session;
    return this.#parts.delivery.open({ session: logOf(session), destination: value.request.webhook, expiresAt });
  }

  /**
   * Reports steps in their order; what cannot be stored is logged. The last one shows the session as it is, those that
   * led to it the session as it was `before`: a reader that stops at a final status has received every step.
   */
  async record(session: StoredSession, events: readonly SessionEvent[], before = session): Promise<void> {
    const { delivery, log, clock } = this.#parts;
    const { id, value, expiresAt = value.request.expiresAt } = session;
    const [shown, earlier] = [session, before].map((one) => reportedSession(one, clock.now()));
    const source = { session: logOf(session), destination: value.request.webhook, isHistory: true, expiresAt };
    const reports = events.map((event, index) => ({
      step: event,
      isOnce: true,
      type: event,
      body: JSON.stringify({ target: id, event, session: index < events.length - 1 ? earlier : shown }),
    }));
    try {
      await delivery.recordAll(source, reports);
    } catch (error) {
      log.warn('verification event could not be stored', { session: id, reason: reasonOf(error) });
    }
  }
}

/** The log of a session's events: its target, which has no slash, and its id. */
export const logOf = ({ parent, id }: Pick<StoredSession, 'parent' | 'id'>): string => `${parent}//${id}`;
