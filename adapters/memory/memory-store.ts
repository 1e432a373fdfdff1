import { setImmediate } from 'node:timers/promises';
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
  /** JSON, so that no caller shares an object with the store. */
  body: string;
}

/** JSON in one piece: the text that V8 makes is a chain of pieces, which takes up to a fifth more memory. */
const bodyOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString();

/** A store in the memory of this process. */
export class MemoryStore implements Store {
  readonly #collections = new Map<string, Collection<unknown>>();

  constructor(private readonly clock: Clock) {}

  collection<T>({ name, listed }: CollectionSpec<T>): Collection<T> {
    const known = this.#collections.get(name) ?? new MemoryCollection<unknown>({ name, listed }, this.clock);
    this.#collections.set(name, known);
    return known as Collection<T>;
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
  /** The rows of each parent by id. */
  readonly #parents = new Map<string, Map<string, Row>>();
  /** Comes to every row in turn. */
  #cursor = this.#cycle();
  /** Only listed collections order their records by time. */
  readonly #lastWrites: LastWrites | undefined;

  constructor(
    { name, listed }: { name: string; listed: boolean },
    private readonly clock: Clock,
  ) {
    this.#name = name;
    this.#lastWrites = listed ? new LastWrites() : undefined;
  }

  async insert(record: NewRecord<T>): Promise<Stored<T>> {
    if (this.#live(record)) throw new DomainError('Conflict', `This ${this.#name} record exists already`);
    this.#sweep();
    const { value, expiresAt } = record;
    const at = this.#stamp(record);
    const row: Row = { body: bodyOf(value), revision: 1, createdAt: at, updatedAt: at, expiresAt };
    this.#put(record, row);
    return toStored(record, row, value);
  }

  async get(key: RecordKey): Promise<Stored<T> | undefined> {
    const row = this.#live(key);
    return row && read(key, row);
  }

  async replace(record: NewRecord<T>, ifRevision: number): Promise<Stored<T>> {
    const before = this.#live(record);
    if (before?.revision !== ifRevision)
      throw new DomainError('Conflict', `This ${this.#name} record was changed meanwhile`);
    const row: Row = {
      body: bodyOf(record.value),
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
    return (await this.take(key)) !== undefined;
  }

  async take(key: RecordKey): Promise<Stored<T> | undefined> {
    const row = this.#live(key);
    if (row) this.#drop(key);
    return row && read(key, row);
  }

  async list(query: PageQuery): Promise<Stored<T>[]> {
    const { parent } = query;
    return (await this.#page(query)).map(([id, row]) => read<T>({ parent, id }, row));
  }

  async ids(query: PageQuery): Promise<string[]> {
    return (await this.#page(query)).map(([id]) => id);
  }

  async #page({ parent, order, offset, limit, after, afterTime }: PageQuery): Promise<Entry[]> {
    await setImmediate();
    const now = this.clock.now();
    const direction = order.endsWith('-') ? -1 : 1;
    const isBeyond = ([id, { createdAt }]: Entry) =>
      (after === undefined || byBytes(id, after) * direction > 0) &&
      (afterTime === undefined || (createdAt - afterTime) * direction > 0);
    const rows = [...(this.#parents.get(parent) ?? [])].filter((entry) => isLive(entry[1], now) && isBeyond(entry));
    return rows.sort(COMPARE[order]).slice(offset, offset + limit);
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

const read = <T>(key: RecordKey, row: Row): Stored<T> => toStored(key, row, JSON.parse(row.body) as T);

/** Copies member by member, since destructuring is far slower and every access does this. */
const toStored = <T>(
  { id, parent = '' }: RecordKey,
  { revision, createdAt, updatedAt, expiresAt }: Row,
  value: T,
): Stored<T> => ({ id, parent, value, revision, createdAt, updatedAt, expiresAt });
