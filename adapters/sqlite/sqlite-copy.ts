import { setImmediate } from 'node:timers/promises';
import { type Pause, retried } from '../../domain/migration/retries.ts';
import type { BodyChange, RawKey, RawRecord, RawStore } from '../../ports/store-copy.ts';
import type { SqliteDatabase, SqliteStatement } from './driver.ts';
import { attempt, openDatabase } from './sqlite-store.ts';
import { BODY, BODY_COLUMNS, BODY_VALUES, makeTable, tableOf } from './tables.ts';

interface Row {
  rowid: number;
  parent: string;
  id: string;
  body: string;
  /** Missing in a table of a version before 0.10.0. */
  sealed?: Uint8Array | null;
  revision: number;
  created: number;
  updated: number;
  expires: number | null;
}

const FACTS = 'revision, created, updated, expires';
const STATE = `${BODY_COLUMNS}, ${FACTS}`;

/** The SQLite file as the source or target of a copy. */
export class SqliteCopy implements RawStore {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, SqliteStatement>();
  readonly #pause: Pause;

  /** @throws DomainError `StoreUnavailable` when the file cannot be opened or, if it must, does not exist */
  constructor(file: string, { fileMustExist, pause }: { fileMustExist: boolean; pause: Pause }) {
    this.#pause = pause;
    this.#database = attempt(() => openDatabase(file, { fileMustExist }), file);
  }

  async ping(): Promise<void> {
    attempt(() => this.#collections());
  }

  async *records(size: number): AsyncGenerator<RawRecord[]> {
    for (const collection of await this.#retried(() => this.#collections())) {
      const listed = await this.#retried(() => this.#isListed(collection));
      // Records that are inserted meanwhile are ignored: otherwise the copy might never end.
      const end = await this.#retried(() => this.#lastRow(collection));
      for (let last = 0; last < end; ) {
        const rows = await this.#retried(() => this.#page(collection, { last, end, size }));
        if (rows.length === 0) break;
        yield rows.map((row) => toRaw(row, { collection, listed }));
        last = rows.at(-1)?.rowid ?? end;
      }
    }
  }

  async get(keys: RawKey[]): Promise<(RawRecord | undefined)[]> {
    return this.#retried(() => {
      const known = new Set(this.#collections());
      return keys.map((key) => (known.has(key.collection) ? this.#get(key) : undefined));
    });
  }

  async put(records: RawRecord[]): Promise<number> {
    return this.#retried(() => {
      const put = (record: RawRecord): number =>
        this.#prepare(putInto(tableOf(record.collection))).run({ ...record, expiresAt: record.expiresAt ?? null })
          .changes;
      return this.#write(records, () => records.reduce((sum, record) => sum + put(record), 0));
    });
  }

  async delete(keys: RawKey[]): Promise<void> {
    const remove = ({ collection, parent, id }: RawKey): void => {
      this.#prepare(`DELETE FROM ${tableOf(collection)} WHERE parent = @parent AND id = @id`).run({ parent, id });
    };
    await this.#retried(() => this.#database.transaction(() => keys.forEach(remove))());
  }

  swap(changes: BodyChange[]): Promise<number> {
    const swap = ({ record: { collection, parent, id, revision, body: old }, body }: BodyChange): number => {
      const sql = `UPDATE ${tableOf(collection)} SET (${BODY_COLUMNS}) = (${BODY_VALUES})
        WHERE parent = @parent AND id = @id AND revision = @revision AND ${BODY} = @old`;
      return this.#prepare(sql).run({ parent, id, revision, old, body }).changes;
    };
    const records = changes.map(({ record }) => record);
    return this.#retried(() => this.#write(records, () => changes.reduce((sum, change) => sum + swap(change), 0)));
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /** Writes in one transaction, to tables that are complete. */
  #write<R>(records: RawKey[], write: () => R): R {
    const listed = new Map(records.map((record) => [record.collection, record.listed]));
    const work = (): R => {
      for (const [collection, isListed] of listed) makeTable(this.#database, collection, isListed);
      return write();
    };
    return this.#database.transaction(work)();
  }

  /** Yields to the event loop, since the driver's calls are synchronous. */
  #retried<R>(work: () => R): Promise<R> {
    return retried(async () => {
      await setImmediate();
      return attempt(work);
    }, this.#pause);
  }

  #get({ collection, listed, parent, id }: RawKey): RawRecord | undefined {
    const sql = `SELECT * FROM ${tableOf(collection)} WHERE parent = @parent AND id = @id`;
    const row = this.#prepare(sql).get({ parent, id }) as Row | undefined;
    return row && toRaw(row, { collection, listed });
  }

  #collections(): string[] {
    const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";
    const tables = this.#prepare(sql).all() as { name: string }[];
    return tables.map(({ name }) => name.replaceAll('_', '-'));
  }

  #isListed(collection: string): boolean {
    const name = `${tableOf(collection).replaceAll('"', '')}_by_id`;
    return this.#prepare('SELECT 1 FROM sqlite_schema WHERE name = @name').get({ name }) !== undefined;
  }

  #lastRow(collection: string): number {
    const sql = `SELECT coalesce(max(rowid), 0) AS last FROM ${tableOf(collection)}`;
    return (this.#prepare(sql).get() as { last: number }).last;
  }

  #page(collection: string, range: { last: number; end: number; size: number }): Row[] {
    const sql = `SELECT * FROM ${tableOf(collection)} WHERE rowid > @last AND rowid <= @end
      ORDER BY rowid LIMIT @size`;
    return this.#prepare(sql).all(range) as Row[];
  }

  #prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

const putInto = (table: string): string => `INSERT INTO ${table} (parent, id, ${STATE})
  VALUES (@parent, @id, ${BODY_VALUES}, @revision, @createdAt, @updatedAt, @expiresAt)
  ON CONFLICT (parent, id) DO UPDATE SET (${STATE}) = (${STATE.replace(/(\w+)/g, 'excluded.$1')})
  WHERE (${STATE.replace(/(\w+)/g, `${table}.$1`)}) IS NOT (${STATE.replace(/(\w+)/g, 'excluded.$1')})`;

function toRaw(row: Row, of: { collection: string; listed: boolean }): RawRecord {
  const { parent, id, revision, created, updated, expires } = row;
  const record = { ...of, parent, id, body: row.sealed ?? row.body, revision, createdAt: created, updatedAt: updated };
  return expires === null ? record : { ...record, expiresAt: expires };
}
