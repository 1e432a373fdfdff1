import type { Outbound, OutboundRequest } from '../../../ports/outbound.ts';
import type { Clock } from '../../../ports/system.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import type { DpopCalls } from '../issuance/dpop-calls.ts';
import type { NotificationEvent, ReportedCredentials } from '../issuance/issuances.ts';
import { isSuccess, ProtocolClient } from '../protocol-client.ts';

const NOTIFYING_MS = 30_000;

/** Notifies issuers of what became of their credentials (OpenID4VCI 1.0 §11, draft 13 §10). */
export class IssuerNotifications {
  readonly #client: ProtocolClient;

  constructor(private readonly parts: { outbound: Outbound; dpop: DpopCalls; clock: Clock }) {
    this.#client = new ProtocolClient(parts.outbound, 'issuer');
  }

  /**
   * Notifies the issuer where it has an endpoint for that, until one notification fails or half a minute has passed.
   * @throws DomainError `BadRequest` with the issuer's reason, `UpstreamFailed`, `UpstreamTimeout`
   */
  async notify({ metadata, issued, accessToken, dpop }: ReportedCredentials, event: NotificationEvent): Promise<void> {
    const { notification_endpoint: url } = metadata;
    const end = this.parts.clock.now() + NOTIFYING_MS;
    const ids = isText(url) ? new Set(issued.flatMap(({ notificationId: id }) => id ?? [])) : [];
    for (const id of ids) {
      const request = notification(String(url), { notification_id: id, event });
      const reply = await this.parts.dpop.send(async () => request, { accessToken, dpop });
      if (!isSuccess(reply)) throw this.#client.errorFrom(reply);
      if (this.parts.clock.now() > end) return;
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
