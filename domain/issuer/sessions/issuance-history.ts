import type { Log } from '../../../ports/log.ts';
import type { Ids } from '../../../ports/system.ts';
import type { EventDelivery } from '../../events/delivery.ts';
import { reasonOf } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { errorDescription } from '../../oauth/error-description.ts';
import type { SessionWebhook } from '../issuance-profile.ts';
import type { IssuanceEventName } from './issuance-event-names.ts';

/** A session whose steps are reported. */
export interface ReportedSession {
  id: string;
  /** The name of its history. */
  history: string;
  /** The session; of its members only those in `SHOWN` are reported. */
  view: JsonObject;
  webhook?: SessionWebhook;
  /** The end of its history, in milliseconds since the epoch. */
  expiresAt: number;
}

/** A step of an issuance. */
export interface IssuanceReport {
  event: IssuanceEventName;
  /** Names a step that happens once; reported again, it has no effect. */
  step?: string;
  /** The id of the request that was the step; absent when it was none. */
  requestId?: string;
  /** Why a step failed: a code of the endpoint's specification. */
  error?: string;
  errorDescription?: string;
}

/** What reporting needs. */
export interface IssuanceHistoryParts {
  delivery: Pick<EventDelivery, 'record' | 'bodyOfStep'>;
  ids: Ids;
  log: Log;
}

/** The public members of a session: no key, code, token or claim. */
const SHOWN = [
  'sessionId',
  'profileId',
  'authenticationMethod',
  'credentialConfigurationId',
  'issuedCredentialFormat',
  'status',
  'statusReason',
  'isClosed',
  'expiresAt',
];

/**
 * The history of sessions of OpenID4VCI 1.0: each step is stored for those who follow the session and sent to its
 * webhook, without a wait and without an effect on the issuance.
 */
export class IssuanceHistory {
  readonly #parts: IssuanceHistoryParts;

  constructor(parts: IssuanceHistoryParts) {
    this.#parts = parts;
  }

  /** Reports a step; a step that cannot be stored is logged. */
  async report({ id, history, view, webhook, expiresAt }: ReportedSession, report: IssuanceReport): Promise<void> {
    const { delivery, ids, log } = this.#parts;
    const { event: type, step } = report;
    try {
      if (step !== undefined && (await delivery.bodyOfStep(history, step)) !== undefined) return;
      await delivery.record({
        session: history,
        destination: webhook && destinationOf(webhook),
        isHistory: true,
        step: step ?? (isRepeatable(report) ? `${type} ${report.error ?? ''}` : ids.uuid()),
        isOnce: step !== undefined,
        type,
        body: JSON.stringify(envelope(id, view, report)),
        expiresAt,
      });
    } catch (error) {
      log.warn('issuance event could not be stored', { session: id, type, reason: reasonOf(error) });
    }
  }
}

/**
 * Whether a wallet can do a step again and again without progress. Such steps are one event while that waits to be sent:
 * many of them would leave no place for the others.
 */
const isRepeatable = ({ event, error }: IssuanceReport): boolean =>
  error !== undefined || !/^(credential_request_|issuance_)/.test(event);

const destinationOf = ({ url, bearerToken, signingSecrets }: SessionWebhook) => ({
  url,
  ...(signingSecrets && { signingSecrets }),
  ...(bearerToken !== undefined && { authorization: `Bearer ${bearerToken}` }),
});

/** The form in which webhooks and streams get an event. */
const envelope = (target: string, view: JsonObject, report: IssuanceReport): JsonObject => ({
  target,
  event: report.event,
  requestId: report.requestId,
  session: Object.fromEntries(SHOWN.filter((name) => Object.hasOwn(view, name)).map((name) => [name, view[name]])),
  error: report.error,
  errorDescription: report.errorDescription && errorDescription(report.errorDescription),
});
