import { bodyOf, bytesOf, type Codec, codecOf } from '../../domain/foundation/bodies.ts';
import { mapInTurns } from '../../domain/foundation/concurrency.ts';
import { DomainError } from '../../domain/foundation/errors.ts';
import type {
  Collection,
  CollectionSpec,
  NewRecord,
  Order,
  PageQuery,
  RecordKey,
  Store,
  Stored,
} from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import { LastWrites } from './last-writes.ts';

/** A record without its key, by which it is found. */
interface Row extends Omit<Stored<never>, 'value' | 'id' | 'parent'> {
  /** Bytes as characters: less memory than a buffer, and than the chain of pieces that V8 makes of JSON. */
  body: string;
}

/** The rows of a collection. */
interface Rows {
  /** Those of each parent by id. */
  parents: Map<string, Map<string, Row>>;
  /** Only listed collections order their records by time. */
  lastWrites: LastWrites | undefined;
}

/** A store in the memory of this process. */
export class MemoryStore implements Store {
  readonly #collections = new Map<string, Rows>();

  constructor(private readonly clock: Clock) {}

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    const made = (): Rows => ({ parents: new Map(), lastWrites: spec.listed ? new LastWrites() : undefined });
    const rows = this.#collections.get(spec.name) ?? made();
    this.#collections.set(spec.name, rows);
    return new MemoryCollection(spec, rows, this.clock);
  }

  async ping(): Promise<void> {}

  async checkWritable(): Promise<void> {}

  async close(): Promise<void> {
    this.#collections.clear();
  }
}

const byBytes = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right));

type Entry = [id: string, row: Row];

const COMPARE: Record<Order, (left: Entry, right: Entry) => number> = {
  id: ([a], [b]) => byBytes(a, b),
  'id-': ([a], [b]) => byBytes(b, a),
  'created+': ([a, left], [b, right]) => left.createdAt - right.createdAt || byBytes(a, b),
  'created-': ([a, left], [b, right]) => right.createdAt - left.createdAt || byBytes(b, a),
  'updated+': ([a, left], [b, right]) => left.updatedAt - right.updatedAt || byBytes(a, b),
  'updated-': ([a, left], [b, right]) => right.updatedAt - left.updatedAt || byBytes(b, a),
};

/** Rows that one insert examines; two bound the map without a scan. */
const SWEEP = 2;

class MemoryCollection<T> implements Collection<T> {
  readonly #name: string;
  readonly #codec: Codec<T>;
  readonly #parents: Rows['parents'];
  readonly #lastWrites: Rows['lastWrites'];
  /** Comes to every row in turn. */
  #cursor = this.#cycle();

  constructor(
    spec: CollectionSpec<T>,
    { parents, lastWrites }: Rows,
    private readonly clock: Clock,
  ) {
    this.#name = spec.name;
    this.#codec = codecOf(spec);
    this.#parents = parents;
    this.#lastWrites = lastWrites;
  }

  async insert(record: NewRecord<T>): Promise<Stored<T>> {
    if (this.#live(record)) throw new DomainError('Conflict', `This ${this.#name} record exists already`);
    this.#sweep();
    const { value, expiresAt } = record;
    const at = this.#stamp(record);
    const row: Row = { body: this.#bodyOf(record), revision: 1, createdAt: at, updatedAt: at, expiresAt };
    this.#put(record, row);
    return toStored(record, row, value);
  }

  async get(key: RecordKey): Promise<Stored<T> | undefined> {
    const row = this.#live(key);
    return row && this.#read(key, row);
  }

  async replace(record: NewRecord<T>, ifRevision: number): Promise<Stored<T>> {
    const before = this.#live(record);
    if (before?.revision !== ifRevision)
      throw new DomainError('Conflict', `This ${this.#name} record was changed meanwhile`);
    const row: Row = {
      body: this.#bodyOf(record),
      revision: ifRevision + 1,
      createdAt: before.createdAt,
      updatedAt: Math.max(before.updatedAt, this.#stamp(record)),
      expiresAt: record.expiresAt ?? before.expiresAt,
    };
    // A replacement that has already expired deletes the record.
    if (isLive(row, this.clock.now())) this.#put(record, row);
    else this.#drop(record);
    return toStored(record, row, record.value);
  }

  async remove(key: RecordKey): Promise<boolean> {
    const row = this.#live(key);
    if (row) this.#drop(key);
    return row !== undefined;
  }

  async take(key: RecordKey): Promise<Stored<T> | undefined> {
    const row = this.#live(key);
    if (row) this.#drop(key);
    return row && this.#read(key, row);
  }

  async list(query: PageQuery): Promise<Stored<T>[]> {
    const { parent } = query;
    const page = await this.#page(query);
    return mapInTurns({ next: setImmediate }, page, ([id, row]) => this.#read({ parent, id }, row));
  }

  async ids(query: PageQuery): Promise<string[]> {
    return (await this.#page(query)).map(([id]) => id);
  }

  async #page({ parent, order, offset, limit, after, afterTime }: PageQuery): Promise<Entry[]> {
    await new Promise(setImmediate);
    const all = this.#parents.get(parent);
    // A page beyond the last row, as limits ask for, needs no order.
    if (all === undefined || all.size <= offset) return [];
    const now = this.clock.now();
    const direction = order.endsWith('-') ? -1 : 1;
    const isBeyond = ([id, { createdAt }]: Entry) =>
      (after === undefined || byBytes(id, after) * direction > 0) &&
      (afterTime === undefined || (createdAt - afterTime) * direction > 0);
    const rows = [...all].filter((entry) => isLive(entry[1], now) && isBeyond(entry));
    return rows.sort(COMPARE[order]).slice(offset, offset + limit);
  }

  #bodyOf(record: NewRecord<T>): string {
    return Buffer.from(bytesOf(this.#codec.encode(record.value, record))).toString('latin1');
  }

  #read(key: RecordKey, row: Row): Stored<T> {
    return toStored(key, row, this.#codec.decode(bodyOf(Buffer.from(row.body, 'latin1')), key));
  }

  #live({ parent = '', id }: RecordKey): Row | undefined {
    const row = this.#parents.get(parent)?.get(id);
    return row && isLive(row, this.clock.now()) ? row : undefined;
  }

  #stamp({ parent = '' }: RecordKey): number {
    const now = this.clock.now();
    return this.#lastWrites?.stamp(parent, now) ?? now;
  }

  #put({ parent = '', id }: RecordKey, row: Row): void {
    const rows = this.#parents.get(parent) ?? new Map<string, Row>();
    if (rows.size === 0) this.#parents.set(parent, rows);
    if (!rows.has(id)) this.#lastWrites?.count(parent, 1);
    rows.set(id, row);
  }

  #drop({ parent = '', id }: RecordKey): void {
    const rows = this.#parents.get(parent);
    this.#lastWrites?.count(parent, -1);
    rows?.delete(id);
    if (rows?.size === 0) this.#parents.delete(parent);
  }

  #sweep(): void {
    for (let left = SWEEP; left > 0; left -= 1) {
      const { value: examined } = this.#cursor.next();
      if (!examined) this.#cursor = this.#cycle();
      else if (!isLive(examined.row, this.clock.now())) this.#drop(examined);
    }
  }

  *#cycle(): Generator<Required<RecordKey> & { row: Row }> {
    for (const [parent, rows] of this.#parents) for (const [id, row] of rows) yield { parent, id, row };
  }
}

const isLive = (row: Row, now: number): boolean => row.expiresAt === undefined || row.expiresAt > now;

/** Copies member by member, since destructuring is far slower and every access does this. */
const toStored = <T>(
  { id, parent = '' }: RecordKey,
  { revision, createdAt, updatedAt, expiresAt }: Row,
  value: T,
): Stored<T> => ({ id, parent, value, revision, createdAt, updatedAt, expiresAt });
