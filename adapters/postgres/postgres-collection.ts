import { bodyOf, bytesOf, type Codec, codecOf } from '../../domain/foundation/bodies.ts';
import { mapInTurns } from '../../domain/foundation/concurrency.ts';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { Collection, CollectionSpec, NewRecord, PageQuery, RecordKey, Stored } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import { JointWrites } from './joint-writes.ts';
import { columnsOf, keyValues, partOf, textOf, wholeValues } from './keys.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { type PageStatements, pagesOf, RECORD_STATEMENTS, type Statement, tableOf } from './statements.ts';

/** The columns of a record beside its key and its value. */
interface Facts {
  revision: number;
  created: number;
  updated: number;
  expires: number | null;
}

interface Row extends Facts {
  body: Buffer;
}

/** The id of a record of a page. */
interface Listed {
  id: Buffer;
  whole_id: Buffer | null;
}

/** Dependencies of a collection. */
interface CollectionParts<T> {
  spec: CollectionSpec<T>;
  clock: Clock;
  link: PostgresConnection;
}

const FROM_START = pagesOf(false);
const AFTER = pagesOf(true);

/** A write to a listed collection: its id, then its values; and what became of it. */
type ListedWrite = [id: Buffer, ...values: unknown[]];
type Outcome<R> = R & { n: number };

/** A collection: its records are among those of others in one table, and each operation is one statement. */
export class PostgresCollection<T> implements Collection<T> {
  readonly #codec: Codec<T>;
  readonly #statements: (typeof RECORD_STATEMENTS)['records'];
  /** Of a listed collection. */
  readonly #inserts: JointWrites<ListedWrite, { time: number }>;
  readonly #replacements: JointWrites<ListedWrite, Facts>;
  readonly #takes: JointWrites<ListedWrite, Row>;

  constructor(private readonly parts: CollectionParts<T>) {
    this.#codec = codecOf(parts.spec);
    this.#statements = RECORD_STATEMENTS[tableOf(parts.spec)];
    this.#inserts = this.#joint(this.#statements.insert);
    this.#replacements = this.#joint(this.#statements.replace);
    this.#takes = this.#joint(this.#statements.take);
  }

  async insert(record: NewRecord<T>): Promise<Stored<T>> {
    const { id, parent = '', value, expiresAt } = record;
    const written = [this.#bodyOf(record), expiresAt ?? null, ...wholeValues(record)];
    const row = this.parts.spec.listed
      ? await this.#inserts.write(parent, [partOf(id).stored, ...written])
      : await this.#one<{ time: number }>(this.#statements.insert, record, written);
    if (!row) throw new DomainError('Conflict', `This ${this.parts.spec.name} record exists already`);
    const { time } = row;
    return toStored({ id, parent }, { revision: 1, created: time, updated: time, expires: expiresAt ?? null }, value);
  }

  async get(key: RecordKey): Promise<Stored<T> | undefined> {
    return this.#opened(key, await this.#one<Row>(this.#statements.get, key));
  }

  async replace(record: NewRecord<T>, ifRevision: number): Promise<Stored<T>> {
    const { id, parent = '', value, expiresAt } = record;
    const written = [this.#bodyOf(record), expiresAt ?? null, ifRevision];
    const facts = this.parts.spec.listed
      ? await this.#replacements.write(parent, [partOf(id).stored, ...written])
      : await this.#one<Facts>(this.#statements.replace, record, written);
    if (!facts) throw new DomainError('Conflict', `This ${this.parts.spec.name} record was changed meanwhile`);
    return toStored({ id, parent }, facts, value);
  }

  async remove(key: RecordKey): Promise<boolean> {
    return (await this.#take(key)) !== undefined;
  }

  async take(key: RecordKey): Promise<Stored<T> | undefined> {
    return this.#opened(key, await this.#take(key));
  }

  async list(query: PageQuery): Promise<Stored<T>[]> {
    const rows = await this.#page<Listed & Row>('list', query);
    const { parent } = query;
    return mapInTurns({ next: setImmediate }, rows, (row) =>
      this.#read({ parent, id: textOf(row.id, row.whole_id) }, row),
    );
  }

  async ids(query: PageQuery): Promise<string[]> {
    return (await this.#page<Listed>('ids', query)).map(({ id, whole_id }) => textOf(id, whole_id));
  }

  #take(key: RecordKey): Promise<Row | undefined> {
    const { id, parent = '' } = key;
    if (this.parts.spec.listed) return this.#takes.write(parent, [partOf(id).stored]);
    return this.#one<Row>(this.#statements.take, key);
  }

  async #one<R>(statement: Statement, key: RecordKey, written: unknown[] = []): Promise<R | undefined> {
    const { link, clock, spec } = this.parts;
    const { rows } = await link.run<R>(statement, [...keyValues(spec.name, key), clock.now(), ...written]);
    return rows[0];
  }

  /** All statements lock rows in the order of their ids, so that none waits for one that waits for it. */
  #joint<R>(statement: Statement): JointWrites<ListedWrite, R> {
    const { link, clock, spec } = this.parts;
    return new JointWrites(async (parent, writes) => {
      const sorted = writes.toSorted(([a], [b]) => Buffer.compare(a, b));
      const values = [spec.name, partOf(parent).stored, clock.now(), ...columnsOf(sorted)];
      const { rows } = await link.run<Outcome<R>>(statement, values);
      const byWrite = new Map(rows.map((row) => [sorted[row.n - 1], row]));
      return writes.map((write) => byWrite.get(write));
    });
  }

  async #page<R>(form: keyof PageStatements, query: PageQuery): Promise<R[]> {
    const { link, clock, spec } = this.parts;
    if (!spec.listed) throw new Error(`The collection ${spec.name} is not listed`);
    const { parent, order, offset, limit, after, afterTime } = query;
    const start = after === undefined ? afterTime : partOf(after).stored;
    const values = [spec.name, partOf(parent).stored, clock.now(), limit, offset];
    if (start === undefined) return (await link.runPage<R>(FROM_START[order][form], values)).rows;
    return (await link.runPage<R>(AFTER[order][form], [...values, start])).rows;
  }

  #bodyOf(record: NewRecord<T>): Uint8Array {
    return bytesOf(this.#codec.encode(record.value, record));
  }

  #opened(key: RecordKey, row: Row | undefined): Stored<T> | undefined {
    return row && this.#read(key, row);
  }

  #read({ id, parent = '' }: RecordKey, row: Row): Stored<T> {
    const key = { id, parent };
    return toStored(key, row, this.#codec.decode(bodyOf(row.body), key));
  }
}

function toStored<T>(key: Required<RecordKey>, { revision, created, updated, expires }: Facts, value: T): Stored<T> {
  const stored: Stored<T> = { ...key, value, revision, createdAt: created, updatedAt: updated };
  if (expires !== null) stored.expiresAt = expires;
  return stored;
}
