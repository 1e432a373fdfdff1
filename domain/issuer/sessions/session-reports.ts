import type { IssuanceEventName } from './issuance-event-names.ts';
import type { IssuanceHistory } from './issuance-history.ts';
import type { IssuanceSession } from './issuance-session.ts';
import { reportedSession } from './session-view.ts';

/** Reports the steps of managed sessions; sessions of the drafts have callbacks instead. */
export class SessionReports {
  readonly #history: IssuanceHistory;

  constructor(history: IssuanceHistory) {
    this.#history = history;
  }

  /** Reports that a session was created, unless that was reported before. */
  async created(session: IssuanceSession): Promise<void> {
    const event = 'credential_offer_created';
    if (session.managed) await this.#history.report(reportedSession(session), { event, step: event });
  }

  /** Never fails: a step that cannot be stored is logged. */
  async report(session: IssuanceSession, event: IssuanceEventName): Promise<void> {
    if (session.managed) await this.#history.report(reportedSession(session), { event });
  }
}
