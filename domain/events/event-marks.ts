import type { Collection, Store } from '../../ports/store.ts';
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

  /** `name`: what the events are about. */
  constructor(store: Store, name: string) {
    this.#marks = store.collection({ name: `${name}-due-events`, listed: true, sealed: false, afterRestore: 'kept' });
  }

  /** Stores a mark; the same one twice is one. */
  async insert(mark: EventMark, expiresAt: number | undefined): Promise<void> {
    await insertFirst(this.#marks, { id: idOf(mark), value: mark, expiresAt });
  }

  async remove(mark: EventMark): Promise<void> {
    await this.#marks.remove({ id: idOf(mark) });
  }

  /** The marks that are due first. */
  async first(limit: number): Promise<StoredMark[]> {
    const marks = await this.#marks.list({ parent: '', offset: 0, limit, order: 'id' });
    return marks.map(({ value, createdAt }) => ({ ...value, createdAt }));
  }
}

const idOf = ({ dueAt, event }: EventMark): string => `${String(dueAt).padStart(DIGITS, '0')}-${event}`;
