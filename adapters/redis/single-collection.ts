import { DomainError } from '../../domain/foundation/errors.ts';
import type { Collection, NewRecord, RecordKey, Stored } from '../../ports/store.ts';
import type { CollectionParts } from './collection-parts.ts';
import { encode, encodeBody, readHead, readLive, readRecord } from './record-bytes.ts';
import { INSERT_SINGLE, REPLACE_SINGLE } from './scripts.ts';

/** A collection whose records are reached by id only: one key each, deleted by Redis when it expires. */
export class SingleCollection<T> implements Collection<T> {
  constructor(private readonly parts: CollectionParts<T>) {}

  async insert({ id, parent = '', value, expiresAt }: NewRecord<T>): Promise<Stored<T>> {
    const { link, clock, name, codec } = this.parts;
    const now = clock.now();
    const head = { revision: 1, createdAt: now, updatedAt: now, ...(expiresAt !== undefined && { expiresAt }) };
    const record = encode({ ...head, body: codec.encode(value, { id, parent }) });
    const run = { keys: [this.#key({ id, parent })], args: [now, expiresAt ?? '-', record] };
    if ((await link.script(INSERT_SINGLE, run)) !== 1)
      throw new DomainError('Conflict', `This ${name} record exists already`);
    return { id, parent, value, ...head };
  }

  async get(key: RecordKey): Promise<Stored<T> | undefined> {
    return readRecord(await this.parts.link.run((client) => client.getBuffer(this.#key(key))), key, this.parts);
  }

  async replace({ id, parent = '', value, expiresAt }: NewRecord<T>, ifRevision: number): Promise<Stored<T>> {
    const { link, clock, name, codec } = this.parts;
    const body = encodeBody(codec.encode(value, { id, parent }));
    const run = { keys: [this.#key({ id, parent })], args: [clock.now(), ifRevision, expiresAt ?? '', body] };
    const head = await link.script(REPLACE_SINGLE, run);
    if (typeof head !== 'string') throw new DomainError('Conflict', `This ${name} record was changed meanwhile`);
    return { id, parent, value, ...readHead(head) };
  }

  async remove(key: RecordKey): Promise<boolean> {
    return readLive(await this.#take(key), this.parts.clock) !== undefined;
  }

  async take(key: RecordKey): Promise<Stored<T> | undefined> {
    return readRecord(await this.#take(key), key, this.parts);
  }

  list(): Promise<Stored<T>[]> {
    return this.#refuse();
  }

  ids(): Promise<string[]> {
    return this.#refuse();
  }

  #take(key: RecordKey): Promise<Buffer | null> {
    return this.parts.link.run((client) => client.getdelBuffer(this.#key(key)));
  }

  async #refuse(): Promise<never> {
    throw new Error(`The collection ${this.parts.name} is not listed`);
  }

  #key(key: RecordKey): string {
    return this.parts.keys.single(this.parts.name, key);
  }
}
