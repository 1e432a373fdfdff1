import type { SqliteDatabase, Transaction } from './driver.ts';
import { isLocked } from './patience.ts';

/** The most writes of one commit: other processes wait for the lock meanwhile. */
const MAX_WRITES = 128;

/** The writes of one turn of the event loop. */
interface Turn {
  writes: (() => unknown)[];
  /** In their order; undefined when each is to be done alone. */
  results: Promise<unknown[] | undefined>;
}

/** A database; `attempt` waits for locks and turns its failures into domain errors. */
export interface DatabaseAccess {
  database: SqliteDatabase;
  attempt: <R>(work: () => R) => Promise<R>;
}

/**
 * Commits the writes of one turn of the event loop together, since a commit costs more than a small write. A write is
 * answered after its commit. When a commit fails, each of its writes is done alone, so none fails for another.
 */
export class JointCommits {
  readonly #together: Transaction<(writes: Turn['writes']) => unknown[]>;
  /** Writes that are not answered yet. */
  readonly #open = new Set<Promise<unknown>>();
  #turn: Turn | undefined;

  constructor(private readonly access: DatabaseAccess) {
    this.#together = access.database.transaction((writes) => writes.map((write) => write()));
  }

  /** @throws what `attempt` throws */
  write<R>(write: () => R): Promise<R> {
    const written = this.#inTurn(write);
    this.#open.add(written);
    return written.finally(() => this.#open.delete(written));
  }

  /** Resolves when all writes that were called are done. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#open);
  }

  async #inTurn<R>(write: () => R): Promise<R> {
    this.#turn ??= this.#begin();
    const { writes, results } = this.#turn;
    const place = writes.push(write) - 1;
    if (writes.length === MAX_WRITES) this.#turn = undefined;
    const all = await results;
    return all ? (all[place] as R) : this.access.attempt(write);
  }

  #begin(): Turn {
    const writes: Turn['writes'] = [];
    const results = new Promise(setImmediate).then(() => {
      if (this.#turn?.writes === writes) this.#turn = undefined;
      return writes.length === 1 ? undefined : this.access.attempt(() => this.#commit(writes));
    });
    return { writes, results };
  }

  /** @throws Error when another process has locked the database; the commit is then tried again as a whole */
  #commit(writes: Turn['writes']): unknown[] | undefined {
    try {
      return this.#together.immediate(writes);
    } catch (error) {
      if (isLocked(error)) throw error;
      return undefined;
    }
  }
}
