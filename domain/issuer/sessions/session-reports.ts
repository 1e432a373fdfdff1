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

  /** Never fails: a step that cannot be stored is logged. */
  async report(session: IssuanceSession, event: IssuanceEventName): Promise<void> {
    if (session.managed) await this.#history.report(reportedSession(session), { event });
  }
}
