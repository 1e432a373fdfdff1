import type { FormatName } from '../../../ports/credential-formats.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import { eventText, reportedCredential } from '../../credentials/formats/facts.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import type { EventDelivery } from '../../events/delivery.ts';
import { DomainError, isDomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { checkDestination } from '../../network/urls.ts';
import { ownLogOf } from '../credential-issuer.ts';
import { RETENTION_MS } from './issuance-history.ts';
import type { IssuanceSession } from './issuance-session.ts';

/** An event of an issuance (interface: Issuance callbacks); those of issued credentials are named by their formats. */
interface IssuanceEvent {
  type: string;
  data: JsonObject;
  /** Names the step for steps that happen once. */
  step?: string;
}

const NOT_REACHED = ['AddressRefused', 'UpstreamFailed', 'UpstreamTimeout'] as const;

/** Reports the steps of an issuance to the callback of a session of the drafts, before the wallet gets its answer. */
export class IssuanceEvents {
  constructor(
    private readonly parts: {
      delivery: Pick<EventDelivery, 'append' | 'bodyOfStep' | 'deliver'>;
      outbound: Outbound;
      formats: CredentialFormats;
    },
  ) {}

  /** @throws DomainError `AddressRefused` when the callback may not be called */
  check(callbackUrl: string): void {
    checkDestination(this.parts.outbound, { url: callbackUrl, expects: 'callback-reply' });
  }

  /**
   * Sends an event; a session without a callback has none. A callback that cannot be reached stops the issuance there;
   * any answer counts as reached. The step that is tried again sends the same event.
   * @throws DomainError `CallbackFailed` when the callback cannot be reached
   */
  async send(session: IssuanceSession, { type, data, step }: IssuanceEvent): Promise<void> {
    const { id, issuerId, callbackUrl: url, expiresAt } = session;
    const { delivery } = this.parts;
    if (url === undefined) return;
    const event = await delivery.append({
      session: ownLogOf(issuerId, id),
      destination: { url },
      step: step ?? type,
      isOnce: step !== undefined,
      type,
      body: JSON.stringify({ id, type, data }),
      expiresAt: expiresAt + RETENTION_MS,
    });
    const outcome = event && (await delivery.deliver(event, 'stop'));
    if (outcome && !outcome.isReached) throw callbackFailed(outcome.error);
  }

  /**
   * Builds a credential and reports its issue to the callback. A credential that an earlier attempt at the same step reported is
   * returned instead of a new one, so what was sent agrees with what the wallet receives.
   */
  async issued(
    session: IssuanceSession,
    { format, step }: { format: FormatName; step: string },
    build: () => Promise<string>,
  ): Promise<string> {
    const { events } = this.parts.formats.get(format);
    if (session.callbackUrl === undefined) return build();
    const { single, batch, member } = events;
    const reported = await this.parts.delivery.bodyOfStep(ownLogOf(session.issuerId, session.id), step);
    const credential =
      reported === undefined ? await build() : reportedCredential(events, String(JSON.parse(reported).data[member]));
    const data = { [member]: eventText(events, credential) };
    await this.send(session, { type: session.isBatch ? batch : single, data, step });
    return credential;
  }
}

function callbackFailed(cause: unknown): unknown {
  if (!NOT_REACHED.some((code) => isDomainError(cause, code))) return cause;
  const message = 'The status callback of the issuer cannot be reached; the issuance can be tried again';
  return new DomainError('CallbackFailed', message, { cause, oauthError: 'server_error' });
}
