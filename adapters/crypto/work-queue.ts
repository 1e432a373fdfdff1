import { DomainError } from '../../domain/foundation/errors.ts';

/** Limits of concurrent work. */
export interface WorkLimits {
  maxRunning: number;
  /** Work beyond this is refused. */
  maxWaiting: number;
}

interface Waiting {
  start(): void;
  refuse(error: DomainError): void;
}

/** Time after which a good part of a full queue is done. */
const RETRY_AFTER_SECONDS = 5;

/** A bounded queue that serves waiting sources in turn, one entry each, regardless of how many entries a source has. */
export class WorkQueue {
  readonly #limits: WorkLimits;
  /** Waiting entries by source, in the order of the turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  #running = 0;
  #length = 0;

  constructor(limits: WorkLimits) {
    this.#limits = limits;
  }

  /**
   * Does the work when it is the turn of its source.
   * @throws DomainError `Overloaded` when there is no room and no other source has more waiting
   */
  async run<T>(source: string, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.maxRunning) this.#running += 1;
    else await this.#turn(source);
    try {
      return await work();
    } finally {
      // The slot passes directly to the next entry, so that no new one takes it.
      const next = this.#next();
      if (next) next.start();
      else this.#running -= 1;
    }
  }

  #turn(source: string): Promise<void> {
    const own = this.#waiting.get(source) ?? [];
    if (this.#length >= this.#limits.maxWaiting) this.#makeRoom(own.length);
    return new Promise((start, refuse) => {
      own.push({ start, refuse });
      this.#waiting.set(source, own);
      this.#length += 1;
    });
  }

  /** Removes the last entry of the source with most entries, in favour of a source with fewer. */
  #makeRoom(ownLength: number): void {
    const longest = [...this.#waiting.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    if (longest.length <= ownLength + 1) throw overloaded();
    longest.pop()?.refuse(overloaded());
    this.#length -= 1;
  }

  #next(): Waiting | undefined {
    const [turn] = this.#waiting;
    if (!turn) return undefined;
    const [source, queue] = turn;
    const next = queue.shift();
    this.#waiting.delete(source);
    if (queue.length > 0) this.#waiting.set(source, queue);
    this.#length -= 1;
    return next;
  }
}

const overloaded = (): DomainError =>
  new DomainError('Overloaded', 'The server is busy; try again in a few seconds', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
