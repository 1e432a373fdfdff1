import type Database from 'better-sqlite3';
import { DomainError } from '../../domain/errors.ts';
import type { Collection, CollectionSpec, NewRecord, Order, PageQuery, RecordKey, Stored } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';

interface Row {
  parent: string;
  id: string;
  body: string;
  revision: number;
  created: number;
  updated: number;
  expires: number | null;
}

/** What a collection needs of its database; `attempt` turns database failures into domain errors. */
export interface CollectionParts {
  spec: Omit<CollectionSpec<unknown>, 'type'>;
  database: Database.Database;
  clock: Clock;
  attempt: <R>(work: () => R) => R;
}

const ORDER_BY: Record<Order, string> = {
  id: 'id ASC',
  'created+': 'created ASC, id ASC',
  'created-': 'created DESC, id DESC',
  'updated+': 'updated ASC, id ASC',
  'updated-': 'updated DESC, id DESC',
};
const COLUMNS = 'parent, id, body, revision, created, updated, expires';
const HERE = 'parent = @parent AND id = @id AND (expires IS NULL OR expires > @now)';

/** One table: a rowid table with a unique key, covering indexes for its lists, and one for expiry. */
export class SqliteCollection<T> implements Collection<T> {
  readonly #parts: CollectionParts;
  readonly #table: string;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(parts: CollectionParts) {
    this.#parts = parts;
    this.#table = `"${parts.spec.name.replaceAll('-', '_')}"`;
    parts.database.exec(schema(this.#table, parts.spec.listed));
  }

  async insert(record: NewRecord<T>): Promise<Stored<T>> {
    const row = this.#run(() => {
      if (record.expiresAt !== undefined) this.#sweep();
      return this.#insert(record);
    });
    if (!row) throw new DomainError('Conflict', `This ${this.#parts.spec.name} record exists already`);
    return row;
  }

  /** An expired record is as if it had never been, so its place may be taken. */
  #insert({ parent = '', id, value, expiresAt }: NewRecord<T>): Stored<T> | undefined {
    return this.#row(
      `INSERT INTO ${this.#table} (${COLUMNS}) VALUES (@parent, @id, @body, 1, @now, @now, @expires)
       ON CONFLICT (parent, id) DO UPDATE SET body = @body, revision = 1, created = @now, updated = @now, expires = @expires
       WHERE expires <= @now RETURNING ${COLUMNS}`,
      { parent, id, body: JSON.stringify(value), expires: expiresAt ?? null },
    );
  }

  async get({ parent = '', id }: RecordKey): Promise<Stored<T> | undefined> {
    return this.#run(() => this.#row(`SELECT ${COLUMNS} FROM ${this.#table} WHERE ${HERE}`, { parent, id }));
  }

  async replace({ parent = '', id, value, expiresAt }: NewRecord<T>, ifRevision: number): Promise<Stored<T>> {
    const row = this.#run(() =>
      this.#row(
        `UPDATE ${this.#table} SET body = @body, revision = revision + 1, updated = max(updated, @now),
         expires = coalesce(@expires, expires) WHERE ${HERE} AND revision = @ifRevision RETURNING ${COLUMNS}`,
        { parent, id, body: JSON.stringify(value), expires: expiresAt ?? null, ifRevision },
      ),
    );
    if (!row) throw new DomainError('Conflict', `This ${this.#parts.spec.name} record was changed meanwhile`);
    return row;
  }

  async remove(key: RecordKey): Promise<boolean> {
    return (await this.take(key)) !== undefined;
  }

  async take({ parent = '', id }: RecordKey): Promise<Stored<T> | undefined> {
    return this.#run(() => this.#row(`DELETE FROM ${this.#table} WHERE ${HERE} RETURNING ${COLUMNS}`, { parent, id }));
  }

  async list(query: PageQuery): Promise<Stored<T>[]> {
    const order = ORDER_BY[query.order];
    // The page is found in the covering index first; only its rows are then read.
    const sql = `SELECT ${COLUMNS} FROM ${this.#table} WHERE rowid IN (${this.#page('rowid', query)}) ORDER BY ${order}`;
    return this.#run(() => this.#rows(sql, query).map((row) => toStored<T>(row)));
  }

  async ids(query: PageQuery): Promise<string[]> {
    return this.#run(() => this.#rows(this.#page('id', query), query).map(({ id }) => id));
  }

  #page(column: 'id' | 'rowid', { order }: PageQuery): string {
    return `SELECT ${column} FROM ${this.#table} WHERE parent = @parent AND (expires IS NULL OR expires > @now)
            ORDER BY ${ORDER_BY[order]} LIMIT @limit OFFSET @offset`;
  }

  /** Two expired rows a time keep the table from growing without a timer or a scan. */
  #sweep(): void {
    const due = `SELECT rowid FROM ${this.#table} WHERE expires <= @now LIMIT 2`;
    this.#prepare(`DELETE FROM ${this.#table} WHERE rowid IN (${due})`).run({ now: this.#parts.clock.now() });
  }

  #run<R>(work: () => R): R {
    return this.#parts.attempt(work);
  }

  #row(sql: string, values: Record<string, string | number | null>): Stored<T> | undefined {
    const row = this.#prepare(sql).get({ ...values, now: this.#parts.clock.now() }) as Row | undefined;
    return row && toStored<T>(row);
  }

  #rows(sql: string, { parent, limit, offset }: PageQuery): Row[] {
    return this.#prepare(sql).all({ parent, limit, offset, now: this.#parts.clock.now() }) as Row[];
  }

  #prepare(sql: string): Database.Statement {
    const known = this.#statements.get(sql) ?? this.#parts.database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

function schema(table: string, listed: boolean): string {
  const index = (suffix: string, rest: string): string =>
    `CREATE INDEX IF NOT EXISTS ${table.replace(/"$/, `_${suffix}"`)} ON ${table} ${rest};`;
  const lists = listed
    ? ['id', 'created', 'updated'].map((name) =>
        index(`by_${name}`, `(parent, ${name === 'id' ? 'id' : `${name}, id`}, expires)`),
      )
    : [];
  return `CREATE TABLE IF NOT EXISTS ${table} (rowid INTEGER PRIMARY KEY, parent TEXT NOT NULL, id TEXT NOT NULL,
      body TEXT NOT NULL, revision INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
      expires INTEGER, UNIQUE (parent, id)) STRICT;
    ${index('by_expires', '(expires) WHERE expires IS NOT NULL')} ${lists.join(' ')}`;
}

function toStored<T>({ parent, id, body, revision, created, updated, expires }: Row): Stored<T> {
  const stored = { parent, id, value: JSON.parse(body) as T, revision, createdAt: created, updatedAt: updated };
  return expires === null ? stored : { ...stored, expiresAt: expires };
}
