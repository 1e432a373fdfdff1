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

interface Row extends Omit<Stored<never>, 'value'> {
  /** JSON, so that no caller shares an object with the store. */
  body: string;
}

/** JSON in one piece: the text that V8 makes is a chain of pieces, which takes up to a fifth more memory. */
const bodyOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString();

/** A store in the memory of this process. */
export class MemoryStore implements Store {
  readonly #clock: Clock;
  readonly #collections = new Map<string, Collection<unknown>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  collection<T>({ name, listed }: CollectionSpec<T>): Collection<T> {
    const known = this.#collections.get(name) ?? new MemoryCollection<unknown>({ name, listed }, this.#clock);
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

const COMPARE: Record<Order, (left: Row, right: Row) => number> = {
  id: (a, b) => byBytes(a.id, b.id),
  'created+': (a, b) => a.createdAt - b.createdAt || byBytes(a.id, b.id),
  'created-': (a, b) => b.createdAt - a.createdAt || byBytes(b.id, a.id),
  'updated+': (a, b) => a.updatedAt - b.updatedAt || byBytes(a.id, b.id),
  'updated-': (a, b) => b.updatedAt - a.updatedAt || byBytes(b.id, a.id),
};

/** Expired rows that one insert deletes; two bound the map without a scan. */
const SWEEP = 2;

class MemoryCollection<T> implements Collection<T> {
  readonly #name: string;
  readonly #clock: Clock;
  /** The rows of each parent by id. */
  readonly #parents = new Map<string, Map<string, Row>>();
  /** Expiring rows, those that were written or examined last at the end. */
  readonly #expiring = new Set<Row>();
  /** Only listed collections order their records by time. */
  readonly #lastWrites: LastWrites | undefined;

  constructor({ name, listed }: { name: string; listed: boolean }, clock: Clock) {
    this.#name = name;
    this.#clock = clock;
    this.#lastWrites = listed ? new LastWrites() : undefined;
  }

  async insert(record: NewRecord<T>): Promise<Stored<T>> {
    if (this.#live(record)) throw new DomainError('Conflict', `This ${this.#name} record exists already`);
    this.#sweep();
    const { id, parent = '', value, expiresAt } = record;
    const at = this.#stamp(parent);
    const row: Row = {
      id,
      parent,
      body: bodyOf(value),
      revision: 1,
      createdAt: at,
      updatedAt: at,
      expiresAt,
    };
    this.#put(row);
    return toStored(row, value);
  }

  async get(key: RecordKey): Promise<Stored<T> | undefined> {
    const row = this.#live(key);
    return row && read(row);
  }

  async replace(record: NewRecord<T>, ifRevision: number): Promise<Stored<T>> {
    const before = this.#live(record);
    if (before?.revision !== ifRevision)
      throw new DomainError('Conflict', `This ${this.#name} record was changed meanwhile`);
    const row: Row = {
      ...before,
      body: bodyOf(record.value),
      revision: ifRevision + 1,
      updatedAt: Math.max(before.updatedAt, this.#stamp(before.parent)),
      expiresAt: record.expiresAt ?? before.expiresAt,
    };
    // A replacement that has already expired deletes the record.
    if (isLive(row, this.#clock.now())) this.#put(row);
    else this.#drop(before);
    return toStored(row, record.value);
  }

  async remove(key: RecordKey): Promise<boolean> {
    return (await this.take(key)) !== undefined;
  }

  async take(key: RecordKey): Promise<Stored<T> | undefined> {
    const row = this.#live(key);
    if (row) this.#drop(row);
    return row && read(row);
  }

  async list(query: PageQuery): Promise<Stored<T>[]> {
    return this.#page(query).map((row) => read<T>(row));
  }

  async ids(query: PageQuery): Promise<string[]> {
    return this.#page(query).map(({ id }) => id);
  }

  #page({ parent, order, offset, limit }: PageQuery): Row[] {
    const now = this.#clock.now();
    const rows = [...(this.#parents.get(parent)?.values() ?? [])].filter((row) => isLive(row, now));
    return rows.sort(COMPARE[order]).slice(offset, offset + limit);
  }

  #live({ parent = '', id }: RecordKey): Row | undefined {
    const row = this.#parents.get(parent)?.get(id);
    return row && isLive(row, this.#clock.now()) ? row : undefined;
  }

  #stamp(parent: string): number {
    const now = this.#clock.now();
    return this.#lastWrites?.stamp(parent, now) ?? now;
  }

  #put(row: Row): void {
    const { parent, id } = row;
    const rows = this.#parents.get(parent) ?? new Map<string, Row>();
    if (rows.size === 0) this.#parents.set(parent, rows);
    const before = rows.get(id);
    if (before) this.#expiring.delete(before);
    else this.#lastWrites?.count(parent, 1);
    rows.set(id, row);
    if (row.expiresAt !== undefined) this.#expiring.add(row);
  }

  #drop(row: Row): void {
    const rows = this.#parents.get(row.parent);
    this.#lastWrites?.count(row.parent, -1);
    rows?.delete(row.id);
    if (rows?.size === 0) this.#parents.delete(row.parent);
    this.#expiring.delete(row);
  }

  #sweep(): void {
    let left = SWEEP;
    for (const row of this.#expiring) {
      if (left === 0) return;
      left -= 1;
      if (isLive(row, this.#clock.now())) {
        // Not expired yet: moved to the end of the queue, so that others are examined.
        this.#expiring.delete(row);
        this.#expiring.add(row);
      } else this.#drop(row);
    }
  }
}

const isLive = (row: Row, now: number): boolean => row.expiresAt === undefined || row.expiresAt > now;

const read = <T>(row: Row): Stored<T> => toStored(row, JSON.parse(row.body) as T);

/** Copies member by member, since destructuring is far slower and every access does this. */
const toStored = <T>({ id, parent, revision, createdAt, updatedAt, expiresAt }: Row, value: T): Stored<T> => ({
  id,
  parent,
  value,
  revision,
  createdAt,
  updatedAt,
  expiresAt,
});
