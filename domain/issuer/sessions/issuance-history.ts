import type { NewEvent } from '../../events/event-log.ts';
import { isDomainError } from '../../foundation/errors.ts';
import { errorDescription } from '../../oauth/error-description.ts';
import { historyOf } from '../credential-issuer.ts';
import type { SessionWebhook } from '../issuance-profile.ts';
import type { IssuanceEventName } from './issuance-event-names.ts';
import type { IssuanceSession } from './issuance-session.ts';
import { RETENTION_MS } from './session-repository.ts';
import { sessionView } from './session-view.ts';

/** A step of an issuance. */
export interface IssuanceStep {
  event: IssuanceEventName;
  /** Whether the step happens once: reported again, it has no effect. */
  isOnce?: boolean;
  /** Why the step failed; absent when it succeeded. */
  cause?: unknown;
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

/**
 * The event of a step in the history of a session of OpenID4VCI 1.0, for those who follow the session and its webhook.
 * `uniqueId` names a step that has no other name.
 */
export function historyEvent(session: IssuanceSession, step: IssuanceStep, uniqueId: string): NewEvent {
  const { event: type, isOnce = false } = step;
  const failure = step.cause === undefined ? undefined : failureOf(step.cause);
  const view = sessionView(session);
  const body = {
    target: session.id,
    event: type,
    session: Object.fromEntries(SHOWN.map((name) => [name, view[name]])),
    ...failure,
  };
  return {
    session: historyOf(session.issuerId, session.id),
    destination: session.managed?.webhook && destinationOf(session.managed.webhook),
    isHistory: true,
    step: isOnce ? type : isRepeatable(step) ? `${type} ${failure?.error ?? ''}` : uniqueId,
    isOnce,
    type,
    body: JSON.stringify(body),
    expiresAt: session.expiresAt + RETENTION_MS,
  };
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

const destinationOf = ({ url, bearerToken, signingSecrets }: SessionWebhook) => ({
  url,
  ...(signingSecrets && { signingSecrets }),
  ...(bearerToken !== undefined && { authorization: `Bearer ${bearerToken}` }),
});
