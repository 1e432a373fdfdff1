import type { Clock } from '../../../ports/system.ts';
import { isDomainError } from '../../foundation/errors.ts';
import type { PresentationVerifier } from '../presentation-verifier.ts';
import { handedOver } from './handover.ts';
import type { PresentationSessionRepository, StoredSession } from './repository.ts';
import type { SessionEvents } from './session-events.ts';
import { hasShownOutcome, type SessionView, sessionView } from './session-view.ts';

/** What handing results over needs. */
export interface SessionResultsParts {
  sessions: PresentationSessionRepository;
  events: SessionEvents;
  clock: Clock;
}

/** Hands the results of sessions over to those who created them. */
export class SessionResults {
  readonly #parts: SessionResultsParts;

  constructor(parts: SessionResultsParts) {
    this.#parts = parts;
  }

  /**
   * The session as its creator sees it. A verifier that stores nothing of what was presented gets it once: it is deleted
   * before it is returned, so of two who ask at once one gets it. @throws DomainError `NotFound` when the session is gone
   */
  async show(verifier: PresentationVerifier, session: StoredSession): Promise<SessionView> {
    const { sessions, clock } = this.#parts;
    const now = clock.now();
    const isLast = verifier.retention.presented === 'deleteOnHandover' && hasShownOutcome(session.value);
    const shown = isLast && !(await this.#delete(session, now)) ? await sessions.get(verifier, session.id) : session;
    return sessionView(shown, now);
  }

  /** Whether the outcome was there until now. */
  async #delete(session: StoredSession, now: number): Promise<boolean> {
    const { sessions, events } = this.#parts;
    try {
      const emptied = await sessions.move(session, { change: (current) => handedOver(current, now) });
      await events.record(emptied, ['data_retention_purge']);
      return true;
    } catch (error) {
      if (isDomainError(error, 'Conflict')) return false;
      throw error;
    }
  }
}
