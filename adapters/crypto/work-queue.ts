import { DomainError } from '../../domain/foundation/errors.ts';
import type { Turn } from '../../ports/turn.ts';

/** Limits of concurrent work. */
export interface WorkLimits {
  maxRunning: number;
  /** Work beyond this is refused. */
  maxWaiting: number;
}

/**
 * The work in node's pool that takes over 10 ms, by its kind: together less at once than the pool has threads (four), so that
 * files, signatures and addresses never wait, and keys, which take seconds, leave passwords their part. A full queue of
 * passwords takes about ten seconds.
 */
export const POOL_WORK = {
  passwords: { maxRunning: 2, maxWaiting: 64 },
  keys: { maxRunning: 1, maxWaiting: 16 },
} as const satisfies Record<string, WorkLimits>;

interface Waiting {
  start(): void;
  refuse(error: DomainError): void;
}

/** Time after which a good part of a full queue is done. */
const RETRY_AFTER_SECONDS = 5;

/** A bounded queue that serves waiting sources in turn, one entry each, regardless of how many entries a source has. */
export class WorkQueue {
  /** Waiting entries by source, in the order of the turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  #running = 0;
  #length = 0;

  constructor(private readonly limits: WorkLimits) {}

  /**
   * Does the work when it is the turn of its source.
   * @throws DomainError `Overloaded` when there is no room and no other source has more waiting, `BadRequest` when the client left before
   */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    if (turn.left?.aborted) throw clientLeft();
    if (this.#running < this.limits.maxRunning) this.#running += 1;
    else await this.#turn(turn);
    try {
      return await work();
    } finally {
      // The slot passes directly to the next entry, so that no new one takes it.
      const next = this.#next();
      if (next) next.start();
      else this.#running -= 1;
    }
  }

  async #turn({ source, left }: Turn): Promise<void> {
    const own = this.#waiting.get(source) ?? [];
    if (this.#length >= this.limits.maxWaiting) this.#makeRoom(own.length);
    let drop = (): void => {};
    try {
      await new Promise<void>((start, refuse) => {
        const entry = { start, refuse };
        own.push(entry);
        this.#waiting.set(source, own);
        this.#length += 1;
        drop = () => this.#drop(source, entry);
        left?.addEventListener('abort', drop, { once: true });
      });
    } finally {
      left?.removeEventListener('abort', drop);
    }
  }

  #drop(source: string, entry: Waiting): void {
    const own = this.#waiting.get(source) ?? [];
    const place = own.indexOf(entry);
    if (place < 0) return;
    own.splice(place, 1);
    if (own.length === 0) this.#waiting.delete(source);
    this.#length -= 1;
    entry.refuse(clientLeft());
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

const clientLeft = (): DomainError => new DomainError('BadRequest', 'The request broke off');

const overloaded = (): DomainError =>
  new DomainError('Overloaded', 'The server is busy; try again in a few seconds', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
