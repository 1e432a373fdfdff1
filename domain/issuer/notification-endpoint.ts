import { oauthError } from '../foundation/errors.ts';
import { hasNumber } from '../foundation/number-ranges.ts';
import type { AccessTokens } from '../oauth/access-tokens.ts';
import type { CredentialIssuer } from './credential-issuer.ts';
import { settled } from './issuance-session.ts';
import type { IssuedCopies } from './issued-copies.ts';
import { itemOfNotification } from './notification-ids.ts';
import type { IssuanceSessionRepository } from './session-repository.ts';

/** A notification of a wallet (OpenID4VCI 1.0 §11.1). */
export interface WalletNotification {
  accessToken: string;
  notificationId: string;
}

/** What notifications need. */
export interface NotificationEndpointParts {
  tokens: AccessTokens;
  sessions: IssuanceSessionRepository;
  copies: IssuedCopies;
}

/** The notification endpoint of issuers. */
export class NotificationEndpoint {
  readonly #parts: NotificationEndpointParts;

  constructor(parts: NotificationEndpointParts) {
    this.#parts = parts;
  }

  /**
   * Removes the copy of issued credentials, which no wallet asks for any more; a notification that is repeated does nothing.
   * @throws DomainError `invalid_token`, `invalid_notification_id`
   */
  async receive(issuer: CredentialIssuer, { accessToken, notificationId }: WalletNotification): Promise<void> {
    const { tokens, sessions, copies } = this.#parts;
    const grant = await tokens.grantOf(issuer.id, accessToken);
    const session = grant && (await sessions.get(issuer, grant.sessionId));
    if (!session) throw oauthError('invalid_token', 'The access token is unknown or expired');
    const item = itemOfNotification(session.id, notificationId);
    if (item === undefined || !hasNumber(session.value.issued, item))
      throw oauthError('invalid_notification_id', 'notification_id: names no credentials of this access token');
    const copy = session.value.redeliverable.find(({ id }) => id === item);
    if (!copy) return;
    await copies.remove(copy);
    await sessions.amend(session, (current) => settled(current, item));
  }
}
