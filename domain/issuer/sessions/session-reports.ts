import { isDomainError } from '../../foundation/errors.ts';
import type { IssuanceEventName } from './issuance-event-names.ts';
import type { IssuanceHistory, IssuanceReport } from './issuance-history.ts';
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

  /** Reports a step, and why it failed; never fails: a step that cannot be stored is logged. */
  async report(session: IssuanceSession, event: IssuanceEventName, cause?: unknown): Promise<void> {
    const why = cause === undefined ? {} : reasonOf(cause);
    if (session.managed) await this.#history.report(reportedSession(session), { event, ...why });
  }
}

/** What the client learned; the text of any other failure is not for it. */
function reasonOf(cause: unknown): Pick<IssuanceReport, 'error' | 'errorDescription'> {
  if (!isDomainError(cause) || cause.oauthError === undefined) return { error: 'server_error' };
  return { error: cause.oauthError, errorDescription: cause.message };
}
