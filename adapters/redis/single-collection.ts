import { DomainError } from '../../domain/foundation/errors.ts';
import type { Collection, NewRecord, RecordKey, Stored } from '../../ports/store.ts';
import type { CollectionParts } from './collection-parts.ts';
import { decode, encode, isLive, toStored } from './record-text.ts';
import { INSERT_SINGLE, REPLACE_SINGLE } from './scripts.ts';

/** A collection whose records are reached by id only: one key each, deleted by Redis when it expires. */
export class SingleCollection<T> implements Collection<T> {
  constructor(private readonly parts: CollectionParts) {}

  async insert({ id, parent = '', value, expiresAt }: NewRecord<T>): Promise<Stored<T>> {
    const { link, clock, name } = this.parts;
    const now = clock.now();
    const record = { revision: 1, createdAt: now, updatedAt: now, expiresAt, body: JSON.stringify(value) };
    const run = { keys: [this.#key({ id, parent })], args: [now, expiresAt ?? '-', encode(record)] };
    if ((await link.script(INSERT_SINGLE, run)) !== 1)
      throw new DomainError('Conflict', `This ${name} record exists already`);
    return toStored({ id, parent }, record);
  }

  async get(key: RecordKey): Promise<Stored<T> | undefined> {
    return this.#read(key, await this.parts.link.run((client) => client.get(this.#key(key))));
  }

  async replace({ id, parent = '', value, expiresAt }: NewRecord<T>, ifRevision: number): Promise<Stored<T>> {
    const { link, clock, name } = this.parts;
    const body = JSON.stringify(value);
    const run = { keys: [this.#key({ id, parent })], args: [clock.now(), ifRevision, expiresAt ?? '', body] };
    const head = await link.script(REPLACE_SINGLE, run);
    if (typeof head !== 'string') throw new DomainError('Conflict', `This ${name} record was changed meanwhile`);
    return toStored({ id, parent }, decode(`${head} ${body}`));
  }

  async remove(key: RecordKey): Promise<boolean> {
    return (await this.take(key)) !== undefined;
  }

  async take(key: RecordKey): Promise<Stored<T> | undefined> {
    return this.#read(key, await this.parts.link.run((client) => client.getdel(this.#key(key))));
  }

  list(): Promise<Stored<T>[]> {
    return this.#refuse();
  }

  ids(): Promise<string[]> {
    return this.#refuse();
  }

  async #refuse(): Promise<never> {
    throw new Error(`The collection ${this.parts.name} is not listed`);
  }

  #key(key: RecordKey): string {
    return this.parts.keys.single(this.parts.name, key);
  }

  #read({ id, parent = '' }: RecordKey, text: string | null): Stored<T> | undefined {
    const record = text === null ? undefined : decode(text);
    return record && isLive(record, this.parts.clock.now()) ? toStored({ id, parent }, record) : undefined;
  }
}
