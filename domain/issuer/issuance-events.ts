import type { FormatName } from '../../ports/credential-formats.ts';
import type { Log } from '../../ports/log.ts';
import type { Outbound, OutboundReply } from '../../ports/outbound.ts';
import type { CredentialFormats } from '../credentials/formats.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { checkDestination } from '../network/urls.ts';
import type { ActiveSession } from './issuance-session.ts';

/** The name of an event (interface: Issuance callbacks); the events of issued credentials are facts of their formats. */
export type IssuanceEvent = string;

const NOT_REACHED = ['AddressRefused', 'UpstreamFailed', 'UpstreamTimeout'] as const;

/** Tells the issuer's callback how an issuance goes on, one event after the other. */
export class IssuanceEvents {
  readonly #outbound: Outbound;
  readonly #log: Log;
  readonly #formats: CredentialFormats;

  constructor(outbound: Outbound, log: Log, formats: CredentialFormats) {
    this.#outbound = outbound;
    this.#log = log;
    this.#formats = formats;
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
    const { single, batch, member } = this.#formats.get(format).events;
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
