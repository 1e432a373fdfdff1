import type { Stored } from '../../../ports/store.ts';
import { oauthError } from '../../foundation/errors.ts';
import { hasNumber } from '../../foundation/number-ranges.ts';
import type { AccessTokens, PresentedGrant } from '../../oauth/access-tokens.ts';
import type { PresentedToken } from '../../oauth/sender-constraints.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import { NOTIFICATION_EVENTS, type WalletNotification } from '../protocol.ts';
import type { IssuanceEvents } from '../sessions/issuance-events.ts';
import { acknowledged } from '../sessions/issuance-session.ts';
import type { RedeliverableCredentials } from '../sessions/redeliverable-credentials.ts';
import type { IssuanceSessionRepository, LiveSession } from '../sessions/session-repository.ts';
import { VERSIONS } from '../versions.ts';
import type { DeferredIssuances } from './deferred-issuances.ts';
import type { NotificationIds } from './notification-ids.ts';

/** The grant of a wallet that notifies, and its session. */
interface NotifyingAccess extends Pick<CredentialIssuer, 'version'> {
  grant: PresentedGrant;
  session: Stored<LiveSession>;
}

/** The notification endpoint of issuers (OpenID4VCI draft 13 §10). */
export class NotificationEndpoint {
  constructor(
    private readonly parts: {
      tokens: AccessTokens;
      sessions: IssuanceSessionRepository;
      copies: RedeliverableCredentials;
      events: IssuanceEvents;
      notificationIds: NotificationIds;
      deferrals: DeferredIssuances;
    },
  ) {}

  /** What an access token notifies of; it is checked before anything of the request is read. @throws DomainError `invalid_token` */
  async access(issuer: CredentialIssuer, accessToken: PresentedToken): Promise<NotifyingAccess> {
    const grant = await this.parts.tokens.liveGrant(issuer.id, accessToken);
    const session = await this.parts.sessions.live(issuer, grant.sessionId);
    if (session) return { grant, session, version: issuer.version };
    throw oauthError('invalid_token', 'The access token is unknown or expired');
  }

  /**
   * Reports to the issuer what the wallet did with issued credentials, once for each event, and ends their re-delivery and
   * their transaction ids (OpenID4VCI 1.0 §9.1); in 1.0 a wallet that accepted them may still ask the credential endpoint
   * for the same ones, until their time is over.
   * @throws DomainError `invalid_notification_id`, `invalid_notification_request`, `CallbackFailed`
   */
  async notify({ grant, session, version }: NotifyingAccess, notification: WalletNotification): Promise<void> {
    const { sessions, events, notificationIds } = this.parts;
    const { notificationId, event, description } = notification;
    const type = NOTIFICATION_EVENTS.find((one) => one === event);
    if (!type)
      throw oauthError('invalid_notification_request', `event must be one of ${NOTIFICATION_EVENTS.join(', ')}`);
    const item = await notificationIds.itemOf(grant, notificationId);
    if (item === undefined || !hasNumber(session.value.issued, item))
      throw oauthError('invalid_notification_id', 'The notification id is not of a credential of this access token');
    const data = {
      notification_id: notificationId,
      event_description: description,
    };
    await events.send(session.value, { type, data, step: `${type} ${item}` });
    await this.parts.deferrals.end(session.value.issuerId, { sessionId: session.value.id, item });
    if (type === 'credential_accepted' && VERSIONS[version].notificationKeepsCopy) return;
    const copy = session.value.redeliverable.find(({ id }) => id === item);
    if (!copy) return;
    await sessions.amend(session, (current) => acknowledged(current, item));
    if (!copy.copy) await this.parts.copies.remove(copy);
  }
}
