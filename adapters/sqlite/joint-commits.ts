import type { SqliteDatabase, Transaction } from './driver.ts';
import { isLocked } from './patience.ts';

/** The most writes of one commit: other processes wait for the lock meanwhile. */
const MAX_WRITES = 128;

/** A write that is not answered yet. */
interface Write {
  run(): unknown;
  done(result: unknown): void;
  failed(error: unknown): void;
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
  readonly #together: Transaction<(writes: Write[]) => unknown[]>;
  /** The commits that are to come or under way. */
  readonly #open = new Set<Promise<void>>();
  /** The writes of the next commit. */
  #turn: Write[] = [];

  constructor(private readonly access: DatabaseAccess) {
    this.#together = access.database.transaction((writes) => writes.map(({ run }) => run()));
  }

  /** Rejects with what `attempt` rejects with. */
  write<R>(run: () => R): Promise<R> {
    return new Promise((resolve, failed) => {
      if (this.#turn.length === MAX_WRITES) this.#turn = [];
      if (this.#turn.length === 0) this.#plan(this.#turn);
      this.#turn.push({ run, done: (result) => resolve(result as R), failed });
    });
  }

  /** Resolves when all writes that were called are done. */
  async ended(): Promise<void> {
    await Promise.all(this.#open);
  }

  #plan(writes: Write[]): void {
    const commit = new Promise(setImmediate).then(() => this.#commit(writes)).finally(() => this.#open.delete(commit));
    this.#open.add(commit);
  }

  async #commit(writes: Write[]): Promise<void> {
    if (this.#turn === writes) this.#turn = [];
    const { attempt } = this.access;
    try {
      const results = writes.length > 1 ? await attempt(() => this.#joint(writes)) : undefined;
      const alone = ({ run, done, failed }: Write): Promise<void> => attempt(run).then(done, failed);
      if (results) for (const [place, { done }] of writes.entries()) done(results[place]);
      else await Promise.all(writes.map(alone));
    } catch (error) {
      for (const { failed } of writes) failed(error);
    }
  }

  /** @throws Error when another process has locked the database; the commit is then tried again as a whole */
  #joint(writes: Write[]): unknown[] | undefined {
    try {
      return this.#together.immediate(writes);
    } catch (error) {
      if (isLocked(error)) throw error;
      return undefined;
    }
  }
}
