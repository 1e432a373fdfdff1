import type { Redis } from 'ioredis';

/** Commands per write; waiting for more would leave the server idle. */
const ENOUGH = 8;

/** Sends the commands of one turn of the event loop in few writes: the write is the largest cost of a command. */
export class BatchedWriter {
  #corked: Redis['stream'][] = [];
  #gathered = 0;
  #isPlanned = false;

  constructor(private readonly nodes: () => readonly Redis[]) {}

  /** Calls `send` and writes its command at the end of this turn at the latest. */
  send<T>(send: () => T): T {
    if (this.#gathered === 0) this.#cork();
    const sent = send();
    this.#gathered += 1;
    if (this.#gathered >= ENOUGH) this.#flush();
    return sent;
  }

  #cork(): void {
    this.#corked = this.nodes().flatMap(({ stream }) => stream ?? []);
    for (const stream of this.#corked) stream.cork();
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#flush();
    });
  }

  #flush(): void {
    for (const stream of this.#corked) stream.uncork();
    this.#corked = [];
    this.#gathered = 0;
  }
}
