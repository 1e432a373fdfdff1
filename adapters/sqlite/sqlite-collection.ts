import { type Codec, codecOf } from '../../domain/foundation/bodies.ts';
import { mapInTurns } from '../../domain/foundation/concurrency.ts';
import { DomainError } from '../../domain/foundation/errors.ts';
import type {
  Body,
  Collection,
  CollectionSpec,
  NewRecord,
  Order,
  PageQuery,
  RecordKey,
  Stored,
} from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import type { RunResult, SqliteStatement } from './driver.ts';
import type { DatabaseAccess, JointCommits } from './joint-commits.ts';
import { keepLastWrites, writeTime } from './last-writes.ts';
import { BODY, BODY_COLUMNS, BODY_VALUES, makeTable, tableOf } from './tables.ts';

/** The columns of a record beside its value. */
interface Facts {
  parent: string;
  id: string;
  revision: number;
  created: number;
  updated: number;
  expires: number | null;
}

interface Row extends Facts {
  body: Body;
}

/** Dependencies of a collection. */
interface CollectionParts<T> extends DatabaseAccess {
  spec: CollectionSpec<T>;
  clock: Clock;
  commits: JointCommits;
}

const FACTS = 'parent, id, revision, created, updated, expires';
const ROW = `${FACTS}, ${BODY} AS body`;
const HERE = 'parent = @parent AND id = @id AND (expires IS NULL OR expires > @now)';

/**
 * Lists of parents without and with expired rows: checking each skipped row costs half as much again. Those by id and
 * by creation have a second form that begins after an id or a time.
 */
type Pages = Record<'clean' | 'mixed', Record<Order | After, string>>;
type After = 'id>' | 'id-<' | 'created+>' | 'created-<';

/** The statements of a collection. */
interface Texts extends Record<'insert' | 'get' | 'replace' | 'take' | 'dead', string> {
  list: Pages;
  ids: Pages;
}

function textsFor({ name, listed }: Pick<CollectionSpec<unknown>, 'name' | 'listed'>): Texts {
  const table = tableOf(name);
  const at = listed ? writeTime(name) : '@now';
  const page = (column: 'id' | 'rowid', order: string, condition: string): string =>
    `SELECT ${column} FROM ${table} WHERE parent = @parent ${condition}
     ORDER BY ${order} LIMIT @limit OFFSET @offset`;
  return {
    // Expired records are invisible to every operation, so an insert replaces them.
    insert: `INSERT INTO ${table} (${FACTS}, ${BODY_COLUMNS})
      VALUES (@parent, @id, 1, ${at}, ${at}, @expires, ${BODY_VALUES})
      ON CONFLICT (parent, id) DO UPDATE SET revision = 1, created = excluded.created, updated = excluded.updated,
      expires = @expires, (${BODY_COLUMNS}) = (${BODY_VALUES}) WHERE expires <= @now ${listed ? `RETURNING ${FACTS}` : ''}`,
    get: `SELECT ${ROW} FROM ${table} WHERE ${HERE}`,
    replace: `UPDATE ${table} SET (${BODY_COLUMNS}) = (${BODY_VALUES}), revision = revision + 1,
      updated = ${listed ? at : 'max(updated, @now)'},
      expires = coalesce(@expires, expires) WHERE ${HERE} AND revision = @ifRevision RETURNING ${FACTS}`,
    take: `DELETE FROM ${table} WHERE ${HERE} RETURNING ${ROW}`,
    dead: `SELECT 1 FROM ${table} WHERE expires <= @now LIMIT 1`,
    // The covering index selects the page; only then are its rows read.
    list: pages(
      (order, condition = '') =>
        `SELECT ${ROW} FROM ${table} WHERE rowid IN (${page('rowid', order, condition)}) ORDER BY ${order}`,
    ),
    ids: pages((order, condition = '') => page('id', order, condition)),
  };
}

const AFTER: Partial<Record<Order, After>> = {
  id: 'id>',
  'id-': 'id-<',
  'created+': 'created+>',
  'created-': 'created-<',
};

const pages = (text: (order: string, condition?: string) => string): Pages => ({
  clean: forOrders(text),
  mixed: forOrders((order, condition = '') => text(order, `${condition} AND (expires IS NULL OR expires > @now)`)),
});

const forOrders = (text: (order: string, condition?: string) => string): Pages['clean'] => ({
  id: text('id ASC'),
  'id>': text('id ASC', 'AND id > @after'),
  'id-': text('id DESC'),
  'id-<': text('id DESC', 'AND id < @after'),
  'created+': text('created ASC, id ASC'),
  'created+>': text('created ASC, id ASC', 'AND created > @after'),
  'created-': text('created DESC, id DESC'),
  'created-<': text('created DESC, id DESC', 'AND created < @after'),
  'updated+': text('updated ASC, id ASC'),
  'updated-': text('updated DESC, id DESC'),
});

/** One table: a rowid table with a unique key, covering indexes for its lists, and one for expiry. */
export class SqliteCollection<T> implements Collection<T> {
  readonly #sql: Texts;
  readonly #codec: Codec<T>;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(private readonly parts: CollectionParts<T>) {
    this.#codec = codecOf(parts.spec);
    this.#sql = textsFor(parts.spec);
  }

  async insert({ parent = '', id, value, expiresAt }: NewRecord<T>): Promise<Stored<T>> {
    const body = this.#codec.encode(value, { parent, id });
    const facts = await this.#insert({ parent, id, body, expires: expiresAt ?? null });
    if (!facts) throw new DomainError('Conflict', `This ${this.parts.spec.name} record exists already`);
    return toStored(facts, value);
  }

  get({ parent = '', id }: RecordKey): Promise<Stored<T> | undefined> {
    const key = { parent, id, now: this.parts.clock.now() };
    return this.parts.attempt(() => this.#opened(this.#prepare(this.#sql.get).get(key) as Row | undefined));
  }

  async replace({ parent = '', id, value, expiresAt }: NewRecord<T>, ifRevision: number): Promise<Stored<T>> {
    const body = this.#codec.encode(value, { parent, id });
    const values = { parent, id, body, expires: expiresAt ?? null, ifRevision };
    const facts = await this.#write<Facts | undefined>(this.#sql.replace, values);
    if (!facts) throw new DomainError('Conflict', `This ${this.parts.spec.name} record was changed meanwhile`);
    return toStored(facts, value);
  }

  async remove({ parent = '', id }: RecordKey): Promise<boolean> {
    return (await this.#write(this.#sql.take, { parent, id })) !== undefined;
  }

  async take({ parent = '', id }: RecordKey): Promise<Stored<T> | undefined> {
    return this.#opened(await this.#write<Row | undefined>(this.#sql.take, { parent, id }));
  }

  async list(query: PageQuery): Promise<Stored<T>[]> {
    const rows = await this.#page<Row>(this.#sql.list, query);
    return mapInTurns({ next: setImmediate }, rows, (row) => this.#read(row));
  }

  async ids(query: PageQuery): Promise<string[]> {
    return (await this.#page<Pick<Row, 'id'>>(this.#sql.ids, query)).map(({ id }) => id);
  }

  /** Only a listed collection reads the time of the record back, which costs an extra statement. */
  async #insert(values: Pick<Row, 'parent' | 'id' | 'body' | 'expires'>): Promise<Facts | undefined> {
    if (this.parts.spec.listed) return this.#write<Facts | undefined>(this.#sql.insert, values);
    const now = this.parts.clock.now();
    const { changes } = await this.#write<RunResult>(this.#sql.insert, values, now);
    const { parent, id, expires } = values;
    return changes === 1 ? { parent, id, revision: 1, created: now, updated: now, expires } : undefined;
  }

  /** Runs a statement in the next commit. It is prepared before: a commit that fails would undo the table it needs. */
  async #write<R>(sql: string, values: object, now = this.parts.clock.now()): Promise<R> {
    const { attempt, commits } = this.parts;
    const statement = this.#statements.get(sql) ?? (await attempt(() => this.#prepare(sql)));
    const bound = { ...values, now };
    return commits.write(() => (statement.reader ? statement.get(bound) : statement.run(bound)) as R);
  }

  async #page<R>(texts: Pages, { parent, order, limit, offset, ...query }: PageQuery): Promise<R[]> {
    // The driver's calls are synchronous: without this a loop over pages would keep all other work waiting.
    await new Promise(setImmediate);
    const now = this.parts.clock.now();
    const after = query.after ?? query.afterTime;
    const form = (after === undefined ? undefined : AFTER[order]) ?? order;
    return this.parts.attempt(() => {
      const isClean = this.#prepare(this.#sql.dead).get({ now }) === undefined;
      const page = this.#prepare(texts[isClean ? 'clean' : 'mixed'][form]);
      return page.all({ parent, limit, offset, now, ...(after !== undefined && { after }) }) as R[];
    });
  }

  #prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const { database } = this.parts;
    // The table is created with the first statement: another process may have locked the database before.
    if (this.#statements.size === 0) this.#makeTable();
    const prepared = database.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  #makeTable(): void {
    const { database, spec } = this.parts;
    makeTable(database, spec.name, spec.listed);
    if (spec.listed) keepLastWrites(database, spec.name);
  }

  #opened(row: Row | undefined): Stored<T> | undefined {
    return row && this.#read(row);
  }

  #read(row: Row): Stored<T> {
    return toStored(row, this.#codec.decode(row.body, row));
  }
}

function toStored<T>({ parent, id, revision, created, updated, expires }: Facts, value: T): Stored<T> {
  const stored: Stored<T> = { parent, id, value, revision, createdAt: created, updatedAt: updated };
  if (expires !== null) stored.expiresAt = expires;
  return stored;
}
