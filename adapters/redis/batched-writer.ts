import type { Redis } from 'ioredis';

/** So many commands are worth a write; waiting for more would leave the server idle. */
const ENOUGH = 8;

/** Sends several commands of one turn of the event loop in one write instead of one each: writing is what costs most. */
export class BatchedWriter {
  readonly #nodes: () => readonly Redis[];
  #corked: Redis['stream'][] = [];
  #gathered = 0;
  #isPlanned = false;

  constructor(nodes: () => readonly Redis[]) {
    this.#nodes = nodes;
  }

  /** Sends a command by `send`, at the end of this turn at the latest. */
  send<T>(send: () => T): T {
    if (this.#gathered === 0) this.#hold();
    const sent = send();
    this.#gathered += 1;
    if (this.#gathered >= ENOUGH) this.#release();
    return sent;
  }

  #hold(): void {
    this.#corked = this.#nodes().flatMap(({ stream }) => stream ?? []);
    for (const stream of this.#corked) stream.cork();
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#release();
    });
  }

  #release(): void {
    for (const stream of this.#corked) stream.uncork();
    this.#corked = [];
    this.#gathered = 0;
  }
}
