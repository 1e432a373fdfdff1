import type { EventDelivery } from '../../../domain/events/delivery.ts';
import {
  type EventDestination,
  type EventLog,
  type History,
  historyOf,
  NO_HISTORY,
  type ReportedEvent,
} from '../../../domain/events/event-log.ts';
import { EventLogs, historyName, readLog } from '../../../domain/events/event-logs.ts';
import { upsert } from '../../../domain/foundation/records.ts';
import type { CollectionSpec, Store } from '../../../ports/store.ts';

/** A session that is nothing but its history. */
interface ToySession {
  destination?: EventDestination;
  history: History;
}

export const TOY_SESSIONS: CollectionSpec<ToySession> = {
  name: 'toy-sessions',
  listed: true,
  sealed: false,
  afterRestore: 'kept',
};

/** The name of the history of a toy session. */
export const toyHistory = (id: string): string => historyName({ parent: 'toys', id });

/** The logs of a store whose sessions are toys. */
export function toyLogs(store: Store): EventLogs {
  const place = {
    collection: store.collection(TOY_SESSIONS),
    read: ({ destination, history }: ToySession): EventLog => ({ ...history, destination, isHistory: true }),
    write: (session: ToySession, log: EventLog) => ({ ...session, history: historyOf(log) }),
  };
  return new EventLogs({ store, name: 'issuance' }, (key) => readLog(place, key));
}

/** Does a step of a toy session, which the first one creates. */
export function toyStep(
  { store, delivery }: { store: Store; delivery: EventDelivery },
  { id, destination, expiresAt }: { id: string; destination?: EventDestination; expiresAt: number },
  events: readonly ReportedEvent[],
): Promise<unknown> {
  return delivery.recording({ session: toyHistory(id), destination, expiresAt }, (record) =>
    upsert<ToySession>({
      collection: store.collection(TOY_SESSIONS),
      key: { parent: 'toys', id },
      change: ({ history } = { history: NO_HISTORY }) => ({ destination, history: record(history, events) }),
      expiresAt: () => expiresAt,
    }),
  );
}
