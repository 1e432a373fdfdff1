import type { FormatName } from '../../../ports/credential-formats.ts';
import type { Log } from '../../../ports/log.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import type { Ids } from '../../../ports/system.ts';
import { eventText, reportedCredential } from '../../credentials/formats/facts.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import type { EventDelivery } from '../../events/delivery.ts';
import { DomainError, isDomainError, reasonOf } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { checkDestination } from '../../network/urls.ts';
import { historyOf } from '../credential-issuer.ts';
import { type IssuanceEventName, tokenRequestEvent } from './issuance-event-names.ts';
import { historyEvent, type IssuanceStep } from './issuance-history.ts';
import type { IssuanceSession } from './issuance-session.ts';
import { RETENTION_MS } from './session-repository.ts';

/** An event of an issuance (interface: Issuance callbacks); those of issued credentials are named by their formats. */
interface IssuanceEvent {
  type: string;
  data: JsonObject;
  /** Names the step for steps that happen once. */
  step?: string;
}

const NOT_REACHED = ['AddressRefused', 'UpstreamFailed', 'UpstreamTimeout'] as const;

/**
 * Reports the steps of an issuance: to the callback of a session of the drafts before the wallet gets its answer, and to the
 * history of a session of OpenID4VCI 1.0 without a wait and without an effect on the issuance.
 */
export class IssuanceEvents {
  constructor(
    private readonly parts: {
      delivery: Pick<EventDelivery, 'append' | 'bodyOfStep' | 'deliver' | 'record'>;
      outbound: Outbound;
      formats: CredentialFormats;
      ids: Ids;
      log: Log;
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
    const name = STEPS[type]?.(data);
    if (name) await this.report(session, name);
    if (url === undefined) return;
    const event = await delivery.append({
      session: historyOf(issuerId, id),
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

  /** Reports that a token request failed, which callbacks of the drafts do not know; one that is to come again did not. */
  async tokenFailed(session: IssuanceSession, { grant_type: grant }: JsonObject, cause: unknown): Promise<void> {
    if (isDomainError(cause, 'Busy')) return;
    await this.report(session, tokenRequestEvent(String(grant), 'failed'), cause);
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
    const reported = await this.parts.delivery.bodyOfStep(historyOf(session.issuerId, session.id), step);
    const credential =
      reported === undefined ? await build() : reportedCredential(events, String(JSON.parse(reported).data[member]));
    const data = { [member]: eventText(events, credential) };
    await this.send(session, { type: session.isBatch ? batch : single, data, step });
    return credential;
  }

  /** Begins the history of a session with its creation, unless it has begun; never fails, as `report`. */
  async created(session: IssuanceSession): Promise<void> {
    await this.#record([{ session, event: 'credential_offer_created', isOnce: true }], { isFirst: true });
  }

  /** Writes a step into the history of a session, and why it failed; never fails: a step that cannot be stored is logged. */
  async report(session: IssuanceSession, event: IssuanceEventName, cause?: unknown): Promise<void> {
    await this.#record([{ session, event, cause }]);
  }

  /**
   * Writes into the history what a change of a session did: it issued items, one event for each format in `issued`, and
   * may have ended the session. Never fails, as `report`.
   */
  async moved(from: IssuanceSession, to: IssuanceSession, issued: readonly FormatName[]): Promise<void> {
    const kinds = issued.map((format) => this.parts.formats.get(format).events.kind);
    const steps = kinds.map((kind) => ({ session: from, event: `credential_request_${kind}_succeeded` as const }));
    const isEnded = to.state !== from.state;
    await this.#record(isEnded ? [...steps, { session: to, event: 'issuance_status_changed' }] : steps);
  }

  /** Writes steps of one session, in their order. */
  async #record(steps: readonly (IssuanceStep & { session: IssuanceSession })[], place?: { isFirst: boolean }) {
    const { delivery, ids, log } = this.parts;
    const events = steps.flatMap((step) =>
      step.session.managed ? [historyEvent(step.session, step, ids.uuid())] : [],
    );
    const [source] = events;
    if (!source) return;
    try {
      await delivery.record(source, events, place);
    } catch (error) {
      const types = steps.map(({ event }) => event);
      const session = steps[0]?.session.id;
      log.warn('issuance events could not be stored', { session, types, reason: reasonOf(error) });
    }
  }
}

/** The steps of both generations by their names in the drafts. */
const STEPS: Readonly<Record<string, (data: JsonObject) => IssuanceEventName>> = {
  resolved_credential_offer: () => 'credential_offer_retrieved',
  requested_token: ({ grant_type: grant }) => tokenRequestEvent(String(grant), 'succeeded'),
};

function callbackFailed(cause: unknown): unknown {
  if (!NOT_REACHED.some((code) => isDomainError(cause, code))) return cause;
  const message = 'The status callback of the issuer cannot be reached; the issuance can be tried again';
  return new DomainError('CallbackFailed', message, { cause, oauthError: 'server_error' });
}
