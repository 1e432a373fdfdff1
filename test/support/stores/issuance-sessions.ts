import { randomUUID } from 'node:crypto';
import { EventDelivery } from '../../../domain/events/delivery.ts';
import { IssuanceHistories } from '../../../domain/issuer/sessions/issuance-history.ts';
import { IssuanceSessionRepository, issuanceRecords } from '../../../domain/issuer/sessions/session-repository.ts';
import type { Log } from '../../../ports/log.ts';
import type { Metrics } from '../../../ports/metrics.ts';
import type { Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { testFormats } from '../credentials/formats.ts';
import { silentLog } from '../servers/silent-log.ts';

const unreached = () => {
  throw new Error('No webhook is called');
};

/** The repository of issuance sessions of a store, without what sends their events. */
export function issuanceSessions({ store, clock, log = silentLog }: { store: Store; clock: Clock; log?: Log }) {
  const name = 'issuance' as const;
  const records = issuanceRecords(store);
  const common = { clock, log, ids: { uuid: () => randomUUID() } };
  const outbound = { check: unreached, send: unreached };
  const background = { once: unreached };
  const delivery = new EventDelivery({ ...common, name, store, logs: records.logs, outbound, background });
  const histories = new IssuanceHistories({ ...common, delivery, formats: testFormats });
  return new IssuanceSessionRepository({
    ...common,
    records,
    histories,
    metrics: { sessionMoved: () => {} } as unknown as Metrics,
  });
}
