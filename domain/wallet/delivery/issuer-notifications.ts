import type { Outbound, OutboundRequest } from '../../../ports/outbound.ts';
import type { Clock } from '../../../ports/system.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import type { DpopCalls } from '../issuance/dpop-calls.ts';
import type { NotificationEvent, ReportedCredentials } from '../issuance/issuances.ts';
import { isSuccess, ProtocolClient } from '../protocol-client.ts';
import type { RenewedAccess } from './renewed-access.ts';

const NOTIFYING_MS = 30_000;

/** Notifies issuers of what became of their credentials (OpenID4VCI 1.0 §11, draft 13 §10). */
export class IssuerNotifications {
  readonly #client: ProtocolClient;

  constructor(
    private readonly parts: { outbound: Outbound; dpop: DpopCalls; clock: Clock; access: Pick<RenewedAccess, 'send'> },
  ) {
    this.#client = new ProtocolClient(parts.outbound, 'issuer');
  }

  /**
   * Notifies the issuer of credentials of a wallet where it has an endpoint for that, until one notification fails or half a
   * minute has passed.
   * @throws DomainError `BadRequest` with the issuer's reason, `UpstreamFailed`, `UpstreamTimeout`
   */
  async notify(
    owner: string,
    { metadata, issued, ...grant }: ReportedCredentials,
    event: NotificationEvent,
  ): Promise<void> {
    const { access, dpop, clock } = this.parts;
    const { notification_endpoint: url } = metadata;
    const end = clock.now() + NOTIFYING_MS;
    const ids = isText(url) ? new Set(issued.flatMap(({ notificationId: id }) => id ?? [])) : [];
    for (const id of ids) {
      const request = notification(String(url), { notification_id: id, event });
      const reply = await access.send(owner, grant, (granted) => dpop.send(async () => request, granted));
      if (!isSuccess(reply)) throw this.#client.errorFrom(reply);
      if (clock.now() > end) return;
    }
  }
}

const notification = (url: string, body: JsonObject): OutboundRequest => ({
  method: 'POST',
  url,
  expects: 'token-response',
  headers: { 'content-type': 'application/json', accept: 'application/json' },
  body: JSON.stringify(body),
});
