import type { Settings } from '../../../adapters/config/settings.ts';
import { systemClock, systemIds } from '../../../adapters/system/system.ts';
import { openStore } from '../../../composition/platform/stores.ts';
import { EventDelivery } from '../../../domain/events/delivery.ts';
import { EventLogs } from '../../../domain/events/event-logs.ts';
import type { IssuanceEventName } from '../../../domain/issuer/sessions/issuance-event-names.ts';
import { IssuanceEvents } from '../../../domain/issuer/sessions/issuance-events.ts';
import { testFormats } from '../credentials/formats.ts';
import { silentLog } from '../servers/silent-log.ts';
import { managedSession } from './managed-session.ts';

/** Reports steps of issuance sessions on the store of a server, as another instance does. */
export class HistoryWriter {
  readonly events: IssuanceEvents;
  readonly close: () => Promise<void>;

  private constructor(events: IssuanceEvents, close: () => Promise<void>) {
    this.events = events;
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
    const logs = new EventLogs({ name: 'issuance', store });
    const delivery = new EventDelivery({ name: 'issuance', store, logs, outbound, clock, ids, log, background });
    const events = new IssuanceEvents({ delivery, outbound, formats: testFormats, ids, log });
    return new HistoryWriter(events, () => store.close());
  }

  /** Reports steps of one session, one after the other. */
  async report(id: string, ...events: IssuanceEventName[]): Promise<void> {
    const session = managedSession(id, { expiresAt: systemClock.now() + 3_600_000 });
    for (const event of events) await this.events.report(session, event);
  }
}
