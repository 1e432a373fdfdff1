import { Readable } from 'node:stream';
import type { Timers } from '../../../ports/system.ts';
import type { Connections } from './connections.ts';

/** One event of a stream. */
export interface StreamedEvent {
  /** The `id` of the event: with it a client goes on after a break. */
  sequence: number;
  /** JSON of one line. */
  body?: string;
}

/** Events that are sent as they come (WHATWG HTML §9.2); `return` ends them, also while `next` waits. */
export type EventSource = AsyncIterable<StreamedEvent>;

/** What streams need of the server. */
export interface StreamParts {
  timers: Timers;
  connections: Pick<Connections, 'whenEnding'>;
}

/** Keeps events out of caches and of the buffers of reverse proxies. */
export const STREAM_HEADERS = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

/** How often a comment shows that the connection is alive, in milliseconds. */
const BEAT_MS = 15_000;
/** After how many milliseconds a client whose stream ended connects again. */
const RECONNECT_MS = 1000;

/**
 * A stream of server-sent events. Nothing is read ahead: while the client does not read, no event is taken. It ends when
 * the events do, when the client leaves, and when the server stops.
 */
export class EventStream extends Readable {
  readonly #events: AsyncIterator<StreamedEvent>;
  readonly #stops: (() => void)[];
  #isReading = false;

  constructor(events: EventSource, { timers, connections }: StreamParts) {
    super({ highWaterMark: 1 });
    this.#events = events[Symbol.asyncIterator]();
    this.push(`retry: ${RECONNECT_MS}\n\n`);
    const beat = (): void => {
      if (this.readableLength === 0) this.push(':\n\n');
    };
    this.#stops = [timers.every(BEAT_MS, beat), connections.whenEnding(() => void this.#leave())];
  }

  override _read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#events.next().then(
      ({ done, value }) => {
        this.#isReading = false;
        if (this.destroyed) return;
        if (done) this.#stop();
        this.push(done ? null : textOf(value));
      },
      (error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#stop();
    this.#leave().then(() => callback(error), callback);
  }

  #stop(): void {
    for (const stop of this.#stops) stop();
  }

  async #leave(): Promise<void> {
    await this.#events.return?.();
  }
}

const textOf = ({ sequence, body = '{}' }: StreamedEvent): string => `id: ${sequence}\ndata: ${body}\n\n`;
