import type { History } from './event-log.ts';

/** One event as the readers of a history see it. */
interface WatchedEvent {
  /** From 1, growing by one with each event of the session. */
  sequence: number;
  type: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** JSON. */
  body?: string;
}

/** The events of a session in their order, each once; `return` ends it, also while `next` waits. */
export type EventReader = Required<Pick<AsyncIterableIterator<WatchedEvent>, 'next' | 'return'>> &
  AsyncIterable<WatchedEvent>;

type Result = IteratorResult<WatchedEvent, undefined>;

const DONE: Result = { done: true, value: undefined };

/** A watched session: the newest copy of its log, and its readers, of which each knows only how far it has read. */
export class EventWatch {
  readonly #wakes = new Set<() => void>();
  #log: History | undefined;
  #isOver = false;

  /** `left` is called with the number of remaining readers when one has ended. */
  constructor(private readonly left: (readers: number) => void) {}

  get readers(): number {
    return this.#wakes.size;
  }

  /** Takes over a newer copy of the log. */
  note(log: History): void {
    if (this.#log && log.next <= this.#log.next) return;
    this.#log = log;
    this.#wake();
  }

  /** Ends all readers after what they have not read. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** A reader of the events after a sequence. */
  read(after: number): EventReader {
    let position = after;
    let waiting: ((result: Result) => void) | undefined;
    const take = (): Result | undefined => {
      const event = this.#log?.events.find(({ sequence }) => sequence > position);
      if (!event) return this.#isOver ? finish() : undefined;
      const { sequence, type, at = 0, body } = event;
      position = sequence;
      return { value: { sequence, type, at, body } };
    };
    const wake = (): void => {
      const result = waiting && take();
      if (result) answer(result);
    };
    const answer = (result: Result): void => {
      waiting?.(result);
      waiting = undefined;
    };
    const finish = (): Result => {
      if (this.#wakes.delete(wake)) this.left(this.#wakes.size);
      return DONE;
    };
    this.#wakes.add(wake);
    const reader: EventReader = {
      [Symbol.asyncIterator]: () => reader,
      next: async () => {
        if (!this.#wakes.has(wake)) return DONE;
        return take() ?? new Promise<Result>((resolve) => (waiting = resolve));
      },
      return: async () => {
        answer(finish());
        return DONE;
      },
    };
    return reader;
  }

  #wake(): void {
    for (const wake of this.#wakes) wake();
  }
}
