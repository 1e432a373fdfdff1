import type { Collection, NewRecord, Order, PageQuery, RecordKey, Stored } from '../../../ports/store.ts';
import { DomainError } from '../../foundation/errors.ts';

/** Where the records of wallets are. */
interface Places {
  /** The parents of the records of a wallet, in the order in which they are read. */
  places(walletId: string): Promise<readonly string[]>;
  /** The message when a wallet has no place. */
  none: string;
}

/**
 * The records of wallets that may be in several places: reading finds the first, writing goes to the first place. The
 * parent of its keys, queries and records is the wallet. A wallet with one place costs what its collection does.
 */
export class PlacedCollection<T> implements Collection<T> {
  constructor(
    private readonly records: Collection<T>,
    private readonly where: Places,
  ) {}

  /** @throws DomainError `BadRequest` when the wallet has no place, `Conflict` when one of its places has the record */
  async insert({ parent: walletId = '', ...record }: NewRecord<T>): Promise<Stored<T>> {
    const [first, ...others] = await this.where.places(walletId);
    if (first === undefined) throw this.#noPlace();
    for (const parent of others)
      if (await this.records.get({ id: record.id, parent }))
        throw new DomainError('Conflict', 'Another store of the wallet has this record');
    return seenFrom(walletId, await this.records.insert({ ...record, parent: first }));
  }

  get(key: RecordKey): Promise<Stored<T> | undefined> {
    return this.#first(key, (placed) => this.records.get(placed));
  }

  async replace({ parent: walletId = '', ...record }: NewRecord<T>, ifRevision: number): Promise<Stored<T>> {
    const [first = '', ...others] = await this.where.places(walletId);
    let place = first;
    for (const other of others) {
      if (await this.records.get({ id: record.id, parent: place })) break;
      place = other;
    }
    return seenFrom(walletId, await this.records.replace({ ...record, parent: place }, ifRevision));
  }

  async remove({ id, parent = '' }: RecordKey): Promise<boolean> {
    for (const place of await this.where.places(parent))
      if (await this.records.remove({ id, parent: place })) return true;
    return false;
  }

  take(key: RecordKey): Promise<Stored<T> | undefined> {
    return this.#first(key, (placed) => this.records.take(placed));
  }

  /** In an order by time, a page has more records than its limit when the last of them and others are of one time. */
  async list(query: PageQuery): Promise<Stored<T>[]> {
    const { parent: walletId } = query;
    const places = await this.where.places(walletId);
    const [only] = places;
    const found =
      only !== undefined && places.length === 1
        ? await this.records.list({ ...query, parent: only })
        : await this.#merged(places, query);
    return only === walletId && places.length === 1 ? found : found.map((record) => seenFrom(walletId, record));
  }

  async ids(query: PageQuery): Promise<string[]> {
    const places = await this.where.places(query.parent);
    const [only] = places;
    if (only !== undefined && places.length === 1) return this.records.ids({ ...query, parent: only });
    return (await this.#merged(places, query)).map(({ id }) => id);
  }

  /** The oldest record of the first place that has one. */
  async oldest(walletId: string): Promise<Stored<T> | undefined> {
    for (const parent of await this.where.places(walletId)) {
      const [oldest] = await this.records.list({ parent, order: 'created+', offset: 0, limit: 1 });
      if (oldest) return seenFrom(walletId, oldest);
    }
    return undefined;
  }

  /** Whether the place that is written to has `most` records. @throws DomainError `BadRequest` when the wallet has no place */
  async isFull(walletId: string, most: number): Promise<boolean> {
    const [parent] = await this.where.places(walletId);
    if (parent === undefined) throw this.#noPlace();
    const last = await this.records.ids({ parent, order: 'id', offset: most - 1, limit: 1 });
    return last.length > 0;
  }

  async #first(
    { id, parent: walletId = '' }: RecordKey,
    read: (key: Required<RecordKey>) => Promise<Stored<T> | undefined>,
  ): Promise<Stored<T> | undefined> {
    for (const parent of await this.where.places(walletId)) {
      const found = await read({ id, parent });
      if (found) return seenFrom(walletId, found);
    }
    return undefined;
  }

  /** One page of all places; a record that an earlier place has too is shown once. */
  async #merged(places: readonly string[], query: PageQuery): Promise<Stored<T>[]> {
    const { order, offset, limit } = query;
    const wanted = offset + limit;
    const pages = places.map((parent, index) => this.#unshadowed(places.slice(0, index), { ...query, parent }, wanted));
    const { by, direction } = ORDERS[order];
    const all = (await Promise.all(pages)).flat().sort((left, right) => direction * compare(left, right, by));
    let end = wanted;
    while (by !== 'id' && end > 0 && all[end]?.[by] !== undefined && all[end]?.[by] === all[end - 1]?.[by]) end += 1;
    return all.slice(offset, end);
  }

  /** The first records of a place that no earlier place has, as many as are wanted. */
  async #unshadowed(earlier: readonly string[], query: PageQuery, wanted: number): Promise<Stored<T>[]> {
    const found: Stored<T>[] = [];
    for (let offset = 0, isFull = true; isFull && found.length < wanted; offset += wanted) {
      const page = await this.records.list({ ...query, offset, limit: wanted });
      for (const record of page) if (!(await this.#isIn(earlier, record.id))) found.push(record);
      isFull = page.length === wanted;
    }
    return found;
  }

  async #isIn(places: readonly string[], id: string): Promise<boolean> {
    for (const parent of places) if (await this.records.get({ id, parent })) return true;
    return false;
  }

  #noPlace(): DomainError {
    return new DomainError('BadRequest', this.where.none);
  }
}

const ORDERS: Readonly<Record<Order, { by: 'id' | 'createdAt' | 'updatedAt'; direction: 1 | -1 }>> = {
  id: { by: 'id', direction: 1 },
  'id-': { by: 'id', direction: -1 },
  'created+': { by: 'createdAt', direction: 1 },
  'created-': { by: 'createdAt', direction: -1 },
  'updated+': { by: 'updatedAt', direction: 1 },
  'updated-': { by: 'updatedAt', direction: -1 },
};

/** Ties in time are broken by id. */
function compare<T>(left: Stored<T>, right: Stored<T>, by: 'id' | 'createdAt' | 'updatedAt'): number {
  for (const member of [by, 'id'] as const) {
    if (left[member] < right[member]) return -1;
    if (left[member] > right[member]) return 1;
  }
  return 0;
}

const seenFrom = <T>(parent: string, record: Stored<T>): Stored<T> => ({ ...record, parent });
