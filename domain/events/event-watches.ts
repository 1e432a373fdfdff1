import type { Timers } from '../../ports/system.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';
import type { History } from './event-log.ts';
import type { EventLogs } from './event-logs.ts';
import { type EventReader, EventWatch } from './event-watch.ts';

/** How often the log of a watched session is read for events of other processes, in milliseconds. */
const READ_MS = 500;
/** The most readers of one session in a process. */
const MAX_READERS_OF_SESSION = 8;
/** When a reader that was refused may come again, in seconds. */
const RETRY_SECONDS = 5;

/**
 * The readers of histories in this process. A session's readers share one copy of its log: events of this process are
 * seen at once, those of other processes with the next look at the store.
 */
export class EventWatches {
  /** By session; at most one for each reader. */
  readonly #watches = new Map<string, EventWatch>();

  constructor(
    private readonly parts: {
      /** What the events are about, as `EventDelivery` has it. */
      name: 'issuance' | 'verification';
      logs: EventLogs;
      timers: Timers;
      background: { once(name: string, work: () => Promise<void>): void };
    },
  ) {}

  /**
   * Opens a reader of everything after the event with the sequence `after`; it ends with the log.
   * @throws DomainError `NotFound` when the session keeps no history, `BadRequest` naming `after`, `TooManyRequests`
   */
  async open(session: string, after: number): Promise<EventReader> {
    const log = (await this.parts.logs.get(session))?.value;
    if (!log?.isHistory) throw new DomainError('NotFound', 'There is no such session');
    if (after >= log.next) throw invalidField(['after'], 'names no event of this session');
    const known = this.#watches.get(session);
    const retry = { retryAfterSeconds: RETRY_SECONDS };
    if (known && known.readers >= MAX_READERS_OF_SESSION)
      throw new DomainError('TooManyRequests', 'Too many streams of this session are open', retry);
    const watch = known ?? this.#watch(session);
    watch.note(log);
    return watch.read(after);
  }

  /** Shows a log that this process has written to the session's readers. */
  note(session: string, log: History): void {
    this.#watches.get(session)?.note(log);
  }

  #watch(session: string): EventWatch {
    const { timers, background, name } = this.parts;
    let isReading = false;
    const read = async (): Promise<void> => {
      try {
        const log = await this.parts.logs.get(session);
        if (log) watch.note(log.value);
        else watch.end();
      } finally {
        isReading = false;
      }
    };
    const stop = timers.every(READ_MS, () => {
      if (isReading) return;
      isReading = true;
      background.once(`${name} event streams`, read);
    });
    const watch = new EventWatch((left) => {
      if (left > 0) return;
      stop();
      this.#watches.delete(session);
    });
    this.#watches.set(session, watch);
    return watch;
  }
}
