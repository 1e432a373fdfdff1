import type { Copyable, RawKey, RawRecord } from '../../ports/store-copy.ts';
import type { SqliteDatabase, SqliteStatement } from './driver.ts';
import { attempt, openDatabase } from './sqlite-store.ts';
import { schema, tableOf } from './tables.ts';

interface Row {
  rowid: number;
  parent: string;
  id: string;
  body: string;
  revision: number;
  created: number;
  updated: number;
  expires: number | null;
}

const COLUMNS = 'parent, id, body, revision, created, updated, expires';
const STATE = 'body, revision, created, updated, expires';

/** The SQLite file as something to copy. */
export class SqliteCopy implements Copyable {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, SqliteStatement>();

  /** @throws DomainError `StoreUnavailable` when the file cannot be opened or, if it must, does not exist */
  constructor(file: string, options: { fileMustExist: boolean }) {
    this.#database = attempt(() => openDatabase(file, options));
  }

  async *records(size: number): AsyncGenerator<RawRecord[]> {
    for (const collection of this.#collections()) {
      const listed = this.#isListed(collection);
      // What comes in meanwhile is not waited for: it might never end.
      const end = this.#lastRow(collection);
      for (let last = 0; last < end; ) {
        const rows = this.#page(collection, { last, end, size });
        if (rows.length === 0) break;
        yield rows.map((row) => toRaw(row, { collection, listed }));
        last = rows.at(-1)?.rowid ?? end;
      }
    }
  }

  async get({ collection, listed, parent, id }: RawKey): Promise<RawRecord | undefined> {
    if (!this.#collections().includes(collection)) return undefined;
    const sql = `SELECT rowid, ${COLUMNS} FROM ${tableOf(collection)} WHERE parent = @parent AND id = @id`;
    const row = attempt(() => this.#prepare(sql).get({ parent, id })) as Row | undefined;
    return row && toRaw(row, { collection, listed });
  }

  async put(records: RawRecord[]): Promise<number> {
    const known = new Set(this.#collections());
    const put = (record: RawRecord): number => {
      const table = tableOf(record.collection);
      if (!known.has(record.collection)) this.#database.exec(schema(table, record.listed));
      known.add(record.collection);
      return this.#prepare(putInto(table)).run({ ...record, expiresAt: record.expiresAt ?? null }).changes;
    };
    return attempt(() => this.#database.transaction(() => records.reduce((sum, record) => sum + put(record), 0))());
  }

  async drop(keys: RawKey[]): Promise<void> {
    const drop = ({ collection, parent, id }: RawKey): void => {
      this.#prepare(`DELETE FROM ${tableOf(collection)} WHERE parent = @parent AND id = @id`).run({ parent, id });
    };
    attempt(() => this.#database.transaction(() => keys.forEach(drop))());
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #collections(): string[] {
    const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";
    const tables = attempt(() => this.#prepare(sql).all()) as { name: string }[];
    return tables.map(({ name }) => name.replaceAll('_', '-'));
  }

  #isListed(collection: string): boolean {
    const name = `${tableOf(collection).replaceAll('"', '')}_by_id`;
    return attempt(() => this.#prepare('SELECT 1 FROM sqlite_schema WHERE name = @name').get({ name })) !== undefined;
  }

  #lastRow(collection: string): number {
    const sql = `SELECT coalesce(max(rowid), 0) AS last FROM ${tableOf(collection)}`;
    return (attempt(() => this.#prepare(sql).get()) as { last: number }).last;
  }

  #page(collection: string, range: { last: number; end: number; size: number }): Row[] {
    const sql = `SELECT rowid, ${COLUMNS} FROM ${tableOf(collection)} WHERE rowid > @last AND rowid <= @end
      ORDER BY rowid LIMIT @size`;
    return attempt(() => this.#prepare(sql).all(range)) as Row[];
  }

  #prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

const putInto = (table: string): string => `INSERT INTO ${table} (${COLUMNS})
  VALUES (@parent, @id, @body, @revision, @createdAt, @updatedAt, @expiresAt)
  ON CONFLICT (parent, id) DO UPDATE SET body = excluded.body, revision = excluded.revision,
    created = excluded.created, updated = excluded.updated, expires = excluded.expires
  WHERE (${STATE.replace(/(\w+)/g, `${table}.$1`)}) IS NOT (${STATE.replace(/(\w+)/g, 'excluded.$1')})`;

function toRaw(row: Row, of: { collection: string; listed: boolean }): RawRecord {
  const { parent, id, body, revision, created, updated, expires } = row;
  const record = { ...of, parent, id, body, revision, createdAt: created, updatedAt: updated };
  return expires === null ? record : { ...record, expiresAt: expires };
}
