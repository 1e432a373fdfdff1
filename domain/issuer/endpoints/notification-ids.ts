import { base64url, equalInConstantTime } from '../../foundation/bytes.ts';
import type { ServerSecret } from '../../keys/server-secret.ts';
import type { PresentedGrant } from '../../oauth/access-tokens.ts';

/**
 * The ids by which a wallet names deliveries in notifications: the item, and a keyed digest of it and of the grant, so that
 * an id says nothing of its session and is good only with the access tokens of the wallet that got the delivery.
 */
export class NotificationIds {
  readonly #secret: ServerSecret;

  constructor({ secret }: { secret: ServerSecret }) {
    this.#secret = secret;
  }

  async of({ sessionId, grantId, authorizationId = grantId }: PresentedGrant, item: number): Promise<string> {
    return `${item}.${base64url(await this.#secret.digest(['notification', authorizationId, sessionId, item]))}`;
  }

  /** The item that an id of this grant names; undefined for any other text. */
  async itemOf(grant: PresentedGrant, id: string): Promise<number | undefined> {
    const item = Number.parseInt(id, 10);
    return equalInConstantTime(await this.of(grant, item), id) ? item : undefined;
  }
}
