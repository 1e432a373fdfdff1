import type { FormatName } from '../../ports/credential-formats.ts';
import type { Log } from '../../ports/log.ts';
import type { Outbound, OutboundReply } from '../../ports/outbound.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { checkDestination } from '../network/urls.ts';
import type { ActiveSession } from './issuance-session.ts';

/** What happened, as the callback is told (interface: Issuance callbacks). */
export type IssuanceEvent = 'resolved_credential_offer' | 'requested_token' | 'jwt_issue' | 'batch_jwt_issue';

/** How the issue of a credential is told, by format: the event, the event within a batch, the member of its data. */
const ISSUE_EVENTS: Record<FormatName, { single: IssuanceEvent; batch: IssuanceEvent; member: string }> = {
  jwt_vc_json: { single: 'jwt_issue', batch: 'batch_jwt_issue', member: 'jwt' },
};

const NOT_REACHED = ['AddressRefused', 'UpstreamFailed', 'UpstreamTimeout'] as const;

/** Tells the issuer's callback how an issuance goes on, one event after the other. */
export class IssuanceEvents {
  readonly #outbound: Outbound;
  readonly #log: Log;

  constructor(outbound: Outbound, log: Log) {
    this.#outbound = outbound;
    this.#log = log;
  }

  /** @throws DomainError `AddressRefused` naming the header when the callback may not be called */
  check(callbackUrl: string): void {
    checkDestination(this.#outbound, { url: callbackUrl, expects: 'callback-reply' });
  }

  /** @throws DomainError `CallbackFailed` when the callback cannot be reached; any answer counts as reached */
  async send(session: ActiveSession, type: IssuanceEvent, data: JsonObject): Promise<void> {
    const { id, callbackUrl: url } = session;
    if (url === undefined) return;
    const reply = await this.#post(url, JSON.stringify({ id, type, data }));
    if (reply.status >= 400) this.#log.warn('issuance callback refused', { session: id, type, status: reply.status });
  }

  issued(session: ActiveSession, format: FormatName, credential: string): Promise<void> {
    const { single, batch, member } = ISSUE_EVENTS[format];
    return this.send(session, session.isBatch ? batch : single, { [member]: credential });
  }

  async #post(url: string, body: string): Promise<OutboundReply> {
    try {
      const headers = { 'content-type': 'application/json' };
      return await this.#outbound.send({ method: 'POST', url, expects: 'callback-reply', headers, body });
    } catch (cause) {
      if (!NOT_REACHED.some((code) => isDomainError(cause, code))) throw cause;
      const message = 'The status callback of the issuer cannot be reached; the issuance can be tried again';
      throw new DomainError('CallbackFailed', message, { cause, oauthError: 'server_error' });
    }
  }
}
