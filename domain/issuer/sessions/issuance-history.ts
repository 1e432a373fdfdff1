import type { FormatName } from '../../../ports/credential-formats.ts';
import type { Ids } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import type { EventDelivery } from '../../events/delivery.ts';
import { NO_HISTORY, type ReportedEvent } from '../../events/event-log.ts';
import { historyName } from '../../events/event-logs.ts';
import { isDomainError } from '../../foundation/errors.ts';
import { errorDescription } from '../../oauth/error-description.ts';
import type { SessionWebhook } from '../issuance-profile.ts';
import type { IssuanceEventName } from './issuance-event-names.ts';
import type { IssuanceSession } from './issuance-session.ts';
import { sessionView } from './session-view.ts';

/** How long the record outlives the session, in milliseconds. */
export const RETENTION_MS = 600_000;

/** A step of an issuance. */
interface IssuanceStep {
  event: IssuanceEventName;
  /** The session as it was then. */
  session: IssuanceSession;
  /** Why the step failed; absent when it succeeded. */
  cause?: unknown;
}

/** What a change of a session adds to its history, beside its end. */
export interface MoveSteps {
  /** The formats of the items that it issued, one for each. */
  issued?: readonly FormatName[];
  event?: IssuanceEventName;
  /** Why the step of `event` failed. */
  cause?: unknown;
}

/** Adds steps to the history of a session. */
export type StepRecorder = <S extends IssuanceSession>(session: S, steps: readonly IssuanceStep[]) => S;

/** The histories of sessions of OpenID4VCI 1.0, in their records; sessions of the drafts have none. */
export class IssuanceHistories {
  constructor(
    private readonly parts: {
      delivery: Pick<EventDelivery, 'recording'>;
      formats: CredentialFormats;
      ids: Ids;
    },
  ) {}

  /** Has a session that is listed below `parent` written with its steps: `write` writes what `record` returns. */
  recording<T>(parent: string, session: IssuanceSession, write: (record: StepRecorder) => Promise<T>): Promise<T> {
    const { delivery, ids } = this.parts;
    const { id, managed, expiresAt } = session;
    if (!managed) return write((next) => next);
    const source = {
      session: historyName({ parent, id }),
      destination: managed.webhook && destinationOf(managed.webhook),
      expiresAt: expiresAt + RETENTION_MS,
    };
    return delivery.recording(source, (record) =>
      write((next, steps) => {
        const events = steps.map((step) => historyEvent(step, ids.uuid()));
        return { ...next, history: record(next.history ?? NO_HISTORY, events) };
      }),
    );
  }

  /** What a change of a session did, which may have ended it. */
  stepsOf(from: IssuanceSession, to: IssuanceSession, { issued = [], event, cause }: MoveSteps): IssuanceStep[] {
    const kinds = issued.map((format) => this.parts.formats.get(format).events.kind);
    const named = event ? [{ session: to, event, cause }] : [];
    const steps: IssuanceStep[] = kinds.map((kind) => ({
      session: from,
      event: `credential_request_${kind}_succeeded` as const,
    }));
    if (to.state !== from.state) steps.push({ session: to, event: 'issuance_status_changed' });
    return [...named, ...steps];
  }
}

/** The members of a session that its events have: no key, code, token or claim. */
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
] as const;

/** The event of a step, for those who follow the session and its webhook. `uniqueId` names a step that has no other name. */
export function historyEvent(step: IssuanceStep, uniqueId: string): ReportedEvent {
  const { event: type, session } = step;
  const failure = step.cause === undefined ? undefined : failureOf(step.cause);
  const view = sessionView(session);
  const body = {
    target: session.id,
    event: type,
    session: Object.fromEntries(SHOWN.map((name) => [name, view[name]])),
    ...failure,
  };
  const name = isRepeatable(step) ? `${type} ${failure?.error ?? ''}` : uniqueId;
  return { step: name, isOnce: false, type, body: JSON.stringify(body) };
}

/**
 * Whether a wallet can do a step again and again without progress. Such steps are one event while that waits to be sent:
 * many of them would leave no place for the others.
 */
const isRepeatable = ({ event, cause }: IssuanceStep): boolean =>
  cause !== undefined || !/^(credential_request_|issuance_)/.test(event);

/** What the client learned; the text of any other failure is not for it. */
const failureOf = (cause: unknown): { error: string; errorDescription?: string } =>
  isDomainError(cause) && cause.oauthError !== undefined
    ? { error: cause.oauthError, errorDescription: errorDescription(cause.message) }
    : { error: 'server_error' };

export const destinationOf = ({ url, bearerToken, signingSecrets }: SessionWebhook) => ({
  url,
  ...(signingSecrets && { signingSecrets }),
  ...(bearerToken !== undefined && { authorization: `Bearer ${bearerToken}` }),
});
