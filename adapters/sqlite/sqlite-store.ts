import type { Collection, CollectionSpec, Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import { openSqlite, type SqliteDatabase } from './driver.ts';
import { ExpiredRows } from './expired-rows.ts';
import { type DatabaseAccess, JointCommits } from './joint-commits.ts';
import { makeWhole } from './new-file.ts';
import { isLocked, patiently, unavailable } from './patience.ts';
import { keepPrivate } from './private-file.ts';
import { SqliteCollection } from './sqlite-collection.ts';
import { writeProbe } from './write-probe.ts';

/** A store in one SQLite file, shared by several processes of one machine. */
export class SqliteStore implements Store {
  readonly #database: SqliteDatabase;
  readonly #access: DatabaseAccess;
  readonly #commits: JointCommits;
  readonly #expired: ExpiredRows;
  #isConfigured = false;

  /** @throws DomainError `StoreUnavailable` when the file cannot be opened */
  constructor(
    private readonly file: string,
    private readonly clock: Clock,
  ) {
    attempt(() => makeWhole(file, openDatabase), file);
    this.#database = attempt(() => openPrivate(file, { timeout: 0 }), file);
    attempt(() => this.#configure({ ignoreLock: true }), file);
    this.#access = { database: this.#database, attempt: (work) => this.#attempt(work) };
    this.#commits = new JointCommits(this.#access);
    this.#expired = new ExpiredRows(this.#database, clock);
    this.#expired.start();
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    return new SqliteCollection({ spec, clock: this.clock, commits: this.#commits, ...this.#access });
  }

  async ping(): Promise<void> {
    await this.#attempt(() => this.#database.pragma('schema_version'));
  }

  async checkWritable(): Promise<void> {
    await this.#attempt(() => writeProbe(this.#database, this.clock.now()));
  }

  async close(): Promise<void> {
    this.#expired.stop();
    await this.#commits.ended();
    this.#database.close();
  }

  #attempt<R>(work: () => R): Promise<R> {
    return patiently(this.file, () => {
      if (!this.#isConfigured) this.#configure({ ignoreLock: false });
      return work();
    });
  }

  #configure({ ignoreLock }: { ignoreLock: boolean }): void {
    try {
      configure(this.#database);
      this.#isConfigured = true;
    } catch (error) {
      if (!ignoreLock || !isLocked(error)) throw error;
    }
  }
}

/** Whether there is a SQLite file without a table; a file that cannot be read is none. */
export function isEmptyFile(file: string): boolean {
  try {
    const database = openSqlite(file, { readonly: true, fileMustExist: true, timeout: 0 });
    try {
      return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

/** How long a copy waits for a lock, in milliseconds. */
const COPY_TIMEOUT_MS = 5000;

/** A SQLite file for copying. */
export function openDatabase(file: string, options: { fileMustExist?: boolean } = {}): SqliteDatabase {
  const database = openPrivate(file, { timeout: COPY_TIMEOUT_MS, ...options });
  configure(database);
  return database;
}

function openPrivate(file: string, options: { timeout: number; fileMustExist?: boolean }): SqliteDatabase {
  keepPrivate(file, options);
  return openSqlite(file, options);
}

/** WAL with synchronous=NORMAL: a crash of the process loses nothing, a power failure may lose the last moments. */
function configure(database: SqliteDatabase): void {
  // Takes effect only in a file without tables; it allows free pages to be returned.
  database.pragma('auto_vacuum = INCREMENTAL');
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  // Deleted and replaced values are overwritten in their page where that needs no additional write.
  database.pragma('secure_delete = FAST');
}

/** Runs database work; a failure of the database becomes `StoreUnavailable`. */
export function attempt<R>(work: () => R, file = ''): R {
  try {
    return work();
  } catch (cause) {
    throw unavailable(file, cause);
  }
}
