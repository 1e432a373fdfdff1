import type { Collection, RecordKey, Store, Stored } from '../../ports/store.ts';
import { ignoring } from '../foundation/errors.ts';
import { update } from '../foundation/records.ts';
import { type EventLog, type History, NO_HISTORY } from './event-log.ts';

/** A log as it was read or written last. */
export interface StoredLog extends Pick<Stored<EventLog>, 'value' | 'updatedAt' | 'expiresAt'> {
  /** Changes the log as `update` changes a record; undefined when it is gone. */
  change(change: (log: EventLog) => EventLog): Promise<StoredLog | undefined>;
}

/** Records that have a log. */
interface LogPlace<T> {
  collection: Collection<T>;
  /** The log of a record. */
  read(value: T): EventLog;
  /** The record with another state of its log. */
  write(value: T, log: EventLog): T;
}

/** The name of the log that is the history in the record of a session. No log in a record of its own has a line break in its name. */
export const historyName = ({ parent = '', id }: RecordKey): string => `${parent}\n${id}`;

/** The event logs of one kind of sessions: histories in the records of the sessions, and logs in records of their own. */
export class EventLogs {
  /** The logs in records of their own, by name. */
  readonly #own: Collection<EventLog>;

  /** `histories` reads the history of a session. */
  constructor(
    { store, name }: { store: Store; name: 'issuance' | 'verification' },
    private readonly histories?: (session: RecordKey) => Promise<StoredLog | undefined>,
  ) {
    this.#own = store.collection({ name: `${name}-event-logs`, afterRestore: 'kept' });
  }

  /** The log with a name; undefined when there is none. */
  async get(name: string): Promise<StoredLog | undefined> {
    const [parent, id] = name.split('\n');
    if (id !== undefined) return this.histories?.({ parent, id });
    return readLog(inOwnRecord(this.#own), { id: name });
  }

  /** Stores a log in a record of its own; undefined when there is one with the name. */
  async insert(name: string, value: EventLog, expiresAt: number): Promise<StoredLog | undefined> {
    const inserted = await this.#own.insert({ id: name, value, expiresAt }).catch(ignoring('Conflict'));
    return inserted && storedLog(inOwnRecord(this.#own), inserted);
  }

  /**
   * The history of a session whose record has none, because an earlier version stored it under this name. Nothing of it
   * waits: what still has to be delivered is delivered from where it is stored.
   */
  async earlier(name: string): Promise<History> {
    const { next, events } = (await this.#own.get({ id: name }))?.value ?? NO_HISTORY;
    return { next, events: events.map((event) => ({ ...event, state: 'delivered' })) };
  }
}

const inOwnRecord = (collection: Collection<EventLog>): LogPlace<EventLog> => ({
  collection,
  read: (log) => log,
  write: (_, log) => log,
});

/** Reads the log of a record. */
export async function readLog<T>(place: LogPlace<T>, key: RecordKey): Promise<StoredLog | undefined> {
  const found = await place.collection.get(key);
  return found && storedLog(place, found);
}

/** The log of a record that was read. */
function storedLog<T>(place: LogPlace<T>, from: Stored<T>): StoredLog {
  const { collection, read, write } = place;
  const { parent, id, updatedAt, expiresAt } = from;
  return {
    value: read(from.value),
    updatedAt,
    expiresAt,
    change: async (change) => {
      const changed = await update({
        collection,
        key: { parent, id },
        from,
        change: (value) => write(value, change(read(value))),
      });
      return changed && storedLog(place, changed);
    },
  };
}
