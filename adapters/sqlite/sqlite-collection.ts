import { DomainError } from '../../domain/errors.ts';
import type { Collection, CollectionSpec, NewRecord, Order, PageQuery, RecordKey, Stored } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import type { SqliteDatabase, SqliteStatement } from './driver.ts';

/** What the database knows of a record beside its value. */
interface Facts {
  parent: string;
  id: string;
  revision: number;
  created: number;
  updated: number;
  expires: number | null;
}

interface Row extends Facts {
  body: string;
}

type Values = Record<string, string | number | null>;

/** What a collection needs of its database; `attempt` waits for locks and turns database failures into domain errors. */
export interface CollectionParts {
  spec: Omit<CollectionSpec<unknown>, 'type'>;
  database: SqliteDatabase;
  clock: Clock;
  attempt: <R>(work: () => R) => Promise<R>;
}

const FACTS = 'parent, id, revision, created, updated, expires';
const COLUMNS = `${FACTS}, body`;
/** One insert in so many clears expired rows away, at most so many. */
const SWEEP = { every: 16, atMost: 64 };
const HERE = 'parent = @parent AND id = @id AND (expires IS NULL OR expires > @now)';

/** Lists where every row is alive, and where some are not: to look at each row that a page skips costs half as much again. */
type Pages = Record<'clean' | 'mixed', Record<Order, string>>;

/** The statements of a collection. */
interface Texts extends Record<'insert' | 'get' | 'replace' | 'take' | 'sweep' | 'dead', string> {
  list: Pages;
  ids: Pages;
}

function textsFor(table: string): Texts {
  const page = (column: 'id' | 'rowid', order: string, condition: string): string =>
    `SELECT ${column} FROM ${table} WHERE parent = @parent ${condition}
     ORDER BY ${order} LIMIT @limit OFFSET @offset`;
  return {
    // An expired record is as if it had never been, so its place may be taken.
    insert: `INSERT INTO ${table} (${COLUMNS}) VALUES (@parent, @id, 1, @now, @now, @expires, @body)
      ON CONFLICT (parent, id) DO UPDATE SET revision = 1, created = @now, updated = @now, expires = @expires,
      body = @body WHERE expires <= @now`,
    get: `SELECT ${COLUMNS} FROM ${table} WHERE ${HERE}`,
    replace: `UPDATE ${table} SET body = @body, revision = revision + 1, updated = max(updated, @now),
      expires = coalesce(@expires, expires) WHERE ${HERE} AND revision = @ifRevision RETURNING ${FACTS}`,
    take: `DELETE FROM ${table} WHERE ${HERE} RETURNING ${COLUMNS}`,
    sweep: `DELETE FROM ${table} WHERE rowid IN
      (SELECT rowid FROM ${table} WHERE expires <= @now LIMIT ${SWEEP.atMost})`,
    dead: `SELECT 1 FROM ${table} WHERE expires <= @now LIMIT 1`,
    // The page is found in the covering index first; only its rows are then read.
    list: pages(
      (order, condition) =>
        `SELECT ${COLUMNS} FROM ${table} WHERE rowid IN (${page('rowid', order, condition)}) ORDER BY ${order}`,
    ),
    ids: pages((order, condition) => page('id', order, condition)),
  };
}

const pages = (text: (order: string, condition: string) => string): Pages => ({
  clean: forOrders((order) => text(order, '')),
  mixed: forOrders((order) => text(order, 'AND (expires IS NULL OR expires > @now)')),
});

const forOrders = (text: (order: string) => string): Record<Order, string> => ({
  id: text('id ASC'),
  'created+': text('created ASC, id ASC'),
  'created-': text('created DESC, id DESC'),
  'updated+': text('updated ASC, id ASC'),
  'updated-': text('updated DESC, id DESC'),
});

/** One table: a rowid table with a unique key, covering indexes for its lists, and one for expiry. */
export class SqliteCollection<T> implements Collection<T> {
  readonly #parts: CollectionParts;
  readonly #sql: Texts;
  readonly #statements = new Map<string, SqliteStatement>();
  #inserts = 0;

  constructor(parts: CollectionParts) {
    this.#parts = parts;
    this.#sql = textsFor(tableOf(parts.spec.name));
  }

  async insert({ parent = '', id, value, expiresAt }: NewRecord<T>): Promise<Stored<T>> {
    const now = this.#parts.clock.now();
    const expires = expiresAt ?? null;
    const inserted = await this.#parts.attempt(() => {
      if (expires !== null) this.#sweep(now);
      return (
        this.#prepare(this.#sql.insert).run({ parent, id, body: JSON.stringify(value), now, expires }).changes === 1
      );
    });
    if (!inserted) throw new DomainError('Conflict', `This ${this.#parts.spec.name} record exists already`);
    return toStored({ parent, id, revision: 1, created: now, updated: now, expires }, value);
  }

  async get({ parent = '', id }: RecordKey): Promise<Stored<T> | undefined> {
    return this.#read(this.#sql.get, { parent, id });
  }

  async replace({ parent = '', id, value, expiresAt }: NewRecord<T>, ifRevision: number): Promise<Stored<T>> {
    const values = { parent, id, body: JSON.stringify(value), expires: expiresAt ?? null, ifRevision };
    const facts = await this.#row<Facts>(this.#sql.replace, values);
    if (!facts) throw new DomainError('Conflict', `This ${this.#parts.spec.name} record was changed meanwhile`);
    return toStored(facts, value);
  }

  async remove(key: RecordKey): Promise<boolean> {
    return (await this.take(key)) !== undefined;
  }

  async take({ parent = '', id }: RecordKey): Promise<Stored<T> | undefined> {
    return this.#read(this.#sql.take, { parent, id });
  }

  async list(query: PageQuery): Promise<Stored<T>[]> {
    const rows = await this.#page<Row>(this.#sql.list, query);
    return rows.map((row) => toStored(row, JSON.parse(row.body) as T));
  }

  async ids(query: PageQuery): Promise<string[]> {
    return (await this.#page<Pick<Row, 'id'>>(this.#sql.ids, query)).map(({ id }) => id);
  }

  /** Expired rows go on the way, without a timer or a scan, faster than new ones can come. */
  #sweep(now: number): void {
    if (this.#inserts % SWEEP.every === 0) this.#prepare(this.#sql.sweep).run({ now });
    this.#inserts += 1;
  }

  async #read(sql: string, key: Values): Promise<Stored<T> | undefined> {
    const row = await this.#row<Row>(sql, key);
    return row && toStored(row, JSON.parse(row.body) as T);
  }

  #row<R>(sql: string, values: Values): Promise<R | undefined> {
    const now = this.#parts.clock.now();
    return this.#parts.attempt(() => this.#prepare(sql).get({ ...values, now }) as R | undefined);
  }

  #page<R>(texts: Pages, { parent, order, limit, offset }: PageQuery): Promise<R[]> {
    const now = this.#parts.clock.now();
    return this.#parts.attempt(() => {
      const isClean = this.#prepare(this.#sql.dead).get({ now }) === undefined;
      const page = this.#prepare(texts[isClean ? 'clean' : 'mixed'][order]);
      return page.all({ parent, limit, offset, now }) as R[];
    });
  }

  #prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const { database, spec } = this.#parts;
    // The table is made with the first statement, not before: another process may hold the lock.
    if (this.#statements.size === 0) database.exec(schema(tableOf(spec.name), spec.listed));
    const prepared = database.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

/** The quoted name of a collection's table. */
export const tableOf = (collection: string): string => `"${collection.replaceAll('-', '_')}"`;

/** The statements that make a table with its indexes, once. */
export function schema(table: string, listed: boolean): string {
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

function toStored<T>({ parent, id, revision, created, updated, expires }: Facts, value: T): Stored<T> {
  const stored: Stored<T> = { parent, id, value, revision, createdAt: created, updatedAt: updated };
  if (expires !== null) stored.expiresAt = expires;
  return stored;
}
