import { DomainError } from '../../domain/errors.ts';
import type { Collection, CollectionSpec, Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import { Sqlite, type SqliteDatabase } from './driver.ts';
import { ExpiredRows } from './expired-rows.ts';
import { SqliteCollection } from './sqlite-collection.ts';

/** A store in one SQLite file, which several processes on a machine may share. */
export class SqliteStore implements Store {
  readonly #clock: Clock;
  readonly #database: SqliteDatabase;
  readonly #expired: ExpiredRows;
  readonly #collections = new Map<string, Collection<unknown>>();

  /** @throws DomainError `StoreUnavailable` when the file cannot be opened */
  constructor(file: string, clock: Clock) {
    this.#clock = clock;
    this.#database = attempt(() => openDatabase(file));
    this.#expired = new ExpiredRows(this.#database, clock);
    this.#expired.start();
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    const known =
      this.#collections.get(spec.name) ??
      attempt(() => new SqliteCollection<unknown>({ spec, database: this.#database, clock: this.#clock, attempt }));
    this.#collections.set(spec.name, known);
    return known as Collection<T>;
  }

  async ping(): Promise<void> {
    attempt(() => this.#database.prepare('SELECT 1').get());
  }

  async close(): Promise<void> {
    this.#expired.stop();
    this.#database.close();
  }
}

/** WAL with synchronous=NORMAL: a crash of the process loses nothing, a power failure may lose the last moments. */
export function openDatabase(file: string, options: { fileMustExist?: boolean } = {}): SqliteDatabase {
  const database = new Sqlite(file, { timeout: 5000, ...options });
  // Only a file without tables takes this: it can give free pages back.
  database.pragma('auto_vacuum = INCREMENTAL');
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  return database;
}

/** Runs database work; a failure of the database itself becomes `StoreUnavailable`. */
export function attempt<R>(work: () => R): R {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError('StoreUnavailable', 'The store cannot be reached', { cause });
  }
}
