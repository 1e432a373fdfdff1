import { mapInTurns } from '../../domain/foundation/concurrency.ts';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { Collection, NewRecord, Order, PageQuery, RecordKey, Stored } from '../../ports/store.ts';
import type { CollectionParts } from './collection-parts.ts';
import type { GroupKeys } from './keys.ts';
import { encodeBody, readHead, readLive, readRecord } from './record-bytes.ts';
import { INSERT_LISTED, LIST, REPLACE_LISTED, TAKE_LISTED } from './scripts.ts';

/** The key of the group, counted from 1, that is the index of an order, and whether it is read backwards. */
const INDEX: Record<Order, [number, '' | 'REV']> = {
  id: [2, ''],
  'id-': [2, 'REV'],
  'created+': [3, ''],
  'created-': [3, 'REV'],
  'updated+': [4, ''],
  'updated-': [4, 'REV'],
};

/** A collection that is paged by parent: records and indexes of a parent share a hash slot and change in one script. */
export class ListedCollection<T> implements Collection<T> {
  constructor(private readonly parts: CollectionParts<T>) {}

  async insert({ id, parent = '', value, expiresAt }: NewRecord<T>): Promise<Stored<T>> {
    const { link, clock, name, codec } = this.parts;
    const body = encodeBody(codec.encode(value, { id, parent }));
    const args = [clock.now(), id, expiresAt ?? '-', body];
    const at = await link.script(INSERT_LISTED, { keys: this.#keys(parent), args });
    if (typeof at !== 'string') throw new DomainError('Conflict', `This ${name} record exists already`);
    return { id, parent, value, ...readHead(`1 ${at} ${at} ${expiresAt ?? '-'}`) };
  }

  async get({ id, parent = '' }: RecordKey): Promise<Stored<T> | undefined> {
    const { records } = this.#group(parent);
    const found = await this.parts.link.run((client) => client.hgetBuffer(records, id));
    return readRecord(found, { id, parent }, this.parts);
  }

  async replace({ id, parent = '', value, expiresAt }: NewRecord<T>, ifRevision: number): Promise<Stored<T>> {
    const { link, clock, name, codec } = this.parts;
    const body = encodeBody(codec.encode(value, { id, parent }));
    const args = [clock.now(), id, ifRevision, expiresAt ?? '', body];
    const head = await link.script(REPLACE_LISTED, { keys: this.#keys(parent), args });
    if (typeof head !== 'string') throw new DomainError('Conflict', `This ${name} record was changed meanwhile`);
    return { id, parent, value, ...readHead(head) };
  }

  async remove(key: RecordKey): Promise<boolean> {
    return readLive(await this.#take(key), this.parts.clock) !== undefined;
  }

  async take(key: RecordKey): Promise<Stored<T> | undefined> {
    return readRecord(await this.#take(key), key, this.parts);
  }

  async list(query: PageQuery): Promise<Stored<T>[]> {
    const [ids, records] = await this.#page(query, true);
    const { parent } = query;
    const found = ids.map((id, index) => ({ id, parent, record: records[index] }));
    const all = await mapInTurns({ next: setImmediate }, found, (key) => readRecord(key.record, key, this.parts));
    return all.flatMap((record) => record ?? []);
  }

  async ids(query: PageQuery): Promise<string[]> {
    return (await this.#page(query, false))[0];
  }

  /** Reads by rank, or after an id by bytes or a time: a page costs the same at any offset. */
  async #page(query: PageQuery, bodies: boolean): Promise<[string[], unknown[]]> {
    const { parent, order, offset, limit, after, afterTime } = query;
    if (limit <= 0) return [[], []];
    const { link, clock } = this.parts;
    const [index, direction] = INDEX[order];
    const args = [
      clock.now(),
      index,
      offset,
      limit,
      direction,
      bodies ? 1 : 0,
      ...(after === undefined ? [] : [after, 'BYLEX']),
      ...(afterTime === undefined ? [] : [afterTime, 'BYSCORE']),
    ];
    for (;;) {
      const page = await link.script(LIST, { keys: this.#keys(parent), args });
      if (Array.isArray(page)) return [page[0].map(String), page[1]];
    }
  }

  #take({ id, parent = '' }: RecordKey): Promise<unknown> {
    const { link, clock } = this.parts;
    return link.script(TAKE_LISTED, { keys: this.#keys(parent), args: [clock.now(), id] });
  }

  #group(parent: string): GroupKeys {
    return this.parts.keys.group(this.parts.name, parent);
  }

  /** The keys in the order of the scripts. */
  #keys(parent: string): string[] {
    return Object.values(this.#group(parent));
  }
}
