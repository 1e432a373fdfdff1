import { DomainError } from '../../domain/foundation/errors.ts';
import type { Collection, NewRecord, Order, PageQuery, RecordKey, Stored } from '../../ports/store.ts';
import type { CollectionParts } from './collection-parts.ts';
import type { GroupKeys } from './keys.ts';
import { decode, isLive, toStored } from './record-text.ts';
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
  constructor(private readonly parts: CollectionParts) {}

  async insert({ id, parent = '', value, expiresAt }: NewRecord<T>): Promise<Stored<T>> {
    const { link, clock, name } = this.parts;
    const body = JSON.stringify(value);
    const args = [clock.now(), id, expiresAt ?? '-', body];
    const at = await link.script(INSERT_LISTED, { keys: this.#keys(parent), args });
    if (typeof at !== 'string') throw new DomainError('Conflict', `This ${name} record exists already`);
    const times = { createdAt: Number(at), updatedAt: Number(at), expiresAt };
    return toStored({ id, parent }, { revision: 1, ...times, body });
  }

  async get({ id, parent = '' }: RecordKey): Promise<Stored<T> | undefined> {
    const { records } = this.#group(parent);
    return this.#read({ id, parent }, await this.parts.link.run((client) => client.hget(records, id)));
  }

  async replace({ id, parent = '', value, expiresAt }: NewRecord<T>, ifRevision: number): Promise<Stored<T>> {
    const { link, clock, name } = this.parts;
    const body = JSON.stringify(value);
    const args = [clock.now(), id, ifRevision, expiresAt ?? '', body];
    const head = await link.script(REPLACE_LISTED, { keys: this.#keys(parent), args });
    if (typeof head !== 'string') throw new DomainError('Conflict', `This ${name} record was changed meanwhile`);
    return toStored({ id, parent }, decode(`${head} ${body}`));
  }

  async remove(key: RecordKey): Promise<boolean> {
    return (await this.take(key)) !== undefined;
  }

  async take({ id, parent = '' }: RecordKey): Promise<Stored<T> | undefined> {
    const { link, clock } = this.parts;
    const text = await link.script(TAKE_LISTED, { keys: this.#keys(parent), args: [clock.now(), id] });
    return this.#read({ id, parent }, typeof text === 'string' ? text : null);
  }

  async list(query: PageQuery): Promise<Stored<T>[]> {
    const [ids, texts] = await this.#page(query, true);
    return ids.flatMap((id, index) => {
      const text = texts[index];
      return text == null ? [] : [toStored<T>({ id, parent: query.parent }, decode(text))];
    });
  }

  async ids(query: PageQuery): Promise<string[]> {
    return (await this.#page(query, false))[0];
  }

  /** Reads by rank, or after an id by bytes or a time: a page costs the same at any offset. */
  async #page(query: PageQuery, bodies: boolean): Promise<[string[], (string | null)[]]> {
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
      if (page !== null) return page as [string[], (string | null)[]];
    }
  }

  #group(parent: string): GroupKeys {
    return this.parts.keys.group(this.parts.name, parent);
  }

  /** The keys in the order of the scripts. */
  #keys(parent: string): string[] {
    return Object.values(this.#group(parent));
  }

  #read({ id, parent }: { id: string; parent: string }, text: string | null): Stored<T> | undefined {
    const record = text === null ? undefined : decode(text);
    return record && isLive(record, this.parts.clock.now()) ? toStored({ id, parent }, record) : undefined;
  }
}
