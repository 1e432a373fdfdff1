import { fingerprint } from '../foundation/bytes.ts';
import type { EventDestination } from './event-log.ts';
import type { StoredMark } from './event-marks.ts';

/** A session with events that are due. */
export interface DueSession {
  session: string;
  /** Names who receives the events; the session itself where that is not known. */
  receiver: string;
  /** Whether a delivery failed before. */
  hasFailed: boolean;
  marks: StoredMark[];
}

/** Names a receiver, by the origin of its URL, as a digest. */
export const receiverOf = ({ url }: EventDestination): string => fingerprint(new URL(url).origin);

/** The sessions of marks, in the order of their first marks. */
export function sessionsOf(marks: readonly StoredMark[]): DueSession[] {
  const sessions = new Map<string, DueSession>();
  for (const mark of marks) {
    const { session, receiver = session, hasFailed = false } = mark;
    const known = sessions.get(session) ?? { session, receiver, hasFailed: false, marks: [] };
    known.marks.push(mark);
    known.hasFailed ||= hasFailed;
    sessions.set(session, known);
  }
  return [...sessions.values()];
}

/**
 * The order in which one round delivers: receivers take turns with one session each, those before which no delivery
 * failed first, and a receiver that does not answer in this round comes after all others.
 */
export class DeliveryQueue {
  readonly #waiting: DueSession[];
  readonly #failing = new Set<string>();

  constructor(due: readonly DueSession[]) {
    const turns = new Map<string, number>();
    const ordered = due.toSorted((a, b) => Number(a.hasFailed) - Number(b.hasFailed));
    const placed = ordered.map((one) => {
      const turn = turns.get(one.receiver) ?? 0;
      turns.set(one.receiver, turn + 1);
      return { one, turn };
    });
    this.#waiting = placed.toSorted((a, b) => a.turn - b.turn).map(({ one }) => one);
  }

  next(): DueSession | undefined {
    const first = this.#waiting.findIndex(({ receiver }) => !this.#failing.has(receiver));
    return this.#waiting.splice(Math.max(0, first), 1)[0];
  }

  /** Notes that a receiver did not answer. */
  failed({ receiver }: DueSession): void {
    this.#failing.add(receiver);
  }

  /** The sessions that are left whose receivers do not answer, in this round or before. */
  get held(): DueSession[] {
    return this.#waiting.filter(({ receiver, hasFailed }) => hasFailed || this.#failing.has(receiver));
  }
}
