import type { Collection, Store, Stored } from '../../ports/store.ts';
import { insertFirst } from '../foundation/records.ts';

/** That an event is to be delivered. A pending event has a mark before it is stored, so a killed process loses none. */
export interface EventMark {
  session: string;
  event: string;
  /** The delivery is not looked at before, in milliseconds since the epoch. */
  dueAt: number;
  /** Names the receiver (`receiverOf`). */
  receiver?: string;
  /** Whether a delivery failed before. */
  hasFailed?: boolean;
}

/** A stored mark. */
export interface StoredMark extends EventMark {
  createdAt: number;
  /** Whether version 0.4.0 wrote it. */
  isEarlier?: boolean;
}

/** Digits of a time: enough for 30,000 years. */
const DIGITS = 15;

/**
 * The marks of undelivered events, in the order in which they are due: however many deliveries wait, those that are due
 * are found without reading the others.
 */
export class EventMarks {
  /** The ids begin with the time, so that their order is that of the times. */
  readonly #marks: Collection<EventMark>;
  /** The marks of version 0.4.0, by the event's id. */
  readonly #earlier: Collection<{ session: string }>;

  /** `name`: what the events are about. */
  constructor(store: Store, name: string) {
    this.#marks = store.collection({ name: `${name}-due-events`, listed: true, sealed: false, afterRestore: 'kept' });
    this.#earlier = store.collection({
      name: `${name}-undelivered-events`,
      listed: true,
      sealed: false,
      afterRestore: 'kept',
    });
  }

  /** Stores a mark; the same one twice is one. */
  async insert(mark: EventMark, expiresAt: number | undefined): Promise<void> {
    await insertFirst(this.#marks, { id: idOf(mark), value: mark, expiresAt });
  }

  async remove(mark: Omit<StoredMark, 'createdAt'>): Promise<void> {
    if (mark.isEarlier) await this.#earlier.remove({ id: mark.event });
    else await this.#marks.remove({ id: idOf(mark) });
  }

  /** The marks that are due first, at most `limit` of this and of the earlier version each. */
  async first(limit: number): Promise<StoredMark[]> {
    const page = { parent: '', offset: 0, limit };
    const earlier = await this.#earlier.list({ ...page, order: 'created+' });
    const marks = await this.#marks.list({ ...page, order: 'id' });
    return [...earlier.map(ofEarlier), ...marks.map(({ value, createdAt }) => ({ ...value, createdAt }))];
  }
}

const idOf = ({ dueAt, event }: EventMark): string => `${String(dueAt).padStart(DIGITS, '0')}-${event}`;

const ofEarlier = ({ id, value: { session }, createdAt }: Stored<{ session: string }>): StoredMark => ({
  session,
  event: id,
  dueAt: createdAt,
  createdAt,
  isEarlier: true,
});
