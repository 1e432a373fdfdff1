import { randomUUID } from 'node:crypto';
import type { Settings } from '../../../adapters/config/settings.ts';
import { systemClock, systemIds } from '../../../adapters/system/system.ts';
import { openStore } from '../../../composition/platform/stores.ts';
import { EventDelivery } from '../../../domain/events/delivery.ts';
import type { IssuanceEventName } from '../../../domain/issuer/sessions/issuance-event-names.ts';
import { IssuanceHistory, type ReportedSession } from '../../../domain/issuer/sessions/issuance-history.ts';
import { silentLog } from '../servers/silent-log.ts';

/** Reports steps of issuance sessions on the store of a server, as another instance does. */
export class HistoryWriter {
  readonly history: IssuanceHistory;
  readonly close: () => Promise<void>;

  private constructor(history: IssuanceHistory, close: () => Promise<void>) {
    this.history = history;
    this.close = close;
  }

  static async open(settings: Settings): Promise<HistoryWriter> {
    const [clock, log, ids] = [systemClock, silentLog, systemIds];
    const { store, claim } = (await openStore(settings))({ clock, log });
    await claim();
    const unreached = () => {
      throw new Error('No webhook is called');
    };
    const outbound = { check: unreached, send: unreached };
    const background = { once: unreached };
    const delivery = new EventDelivery({ name: 'issuance', store, outbound, clock, ids, log, background });
    return new HistoryWriter(new IssuanceHistory({ delivery, ids, log }), () => store.close());
  }

  /** Reports steps of one session, one after the other. */
  async report(id: string, ...events: IssuanceEventName[]): Promise<void> {
    for (const event of events) await this.history.report(reportedSession(id), { event, requestId: randomUUID() });
  }
}

/** A session without a webhook. */
export const reportedSession = (id: string): ReportedSession => ({
  id,
  history: id,
  view: { sessionId: id, status: 'ACTIVE', issuerKey: { d: 'secret' }, txCodeValue: 'secret' },
  expiresAt: systemClock.now() + 3_600_000,
});
