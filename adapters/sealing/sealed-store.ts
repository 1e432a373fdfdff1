import type { Secrets } from '../../ports/secrets.ts';
import type { Collection, CollectionSpec, NewRecord, PageQuery, RecordKey, Store, Stored } from '../../ports/store.ts';

/** Wraps a store so that the values of sealed collections are ciphertext in it (decisions §13). */
export class SealedStore implements Store {
  readonly #store: Store;
  readonly #secrets: Secrets;

  constructor(store: Store, secrets: Secrets) {
    this.#store = store;
    this.#secrets = secrets;
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    if (!spec.sealed) return this.#store.collection(spec);
    const { type: _, ...named } = spec;
    return new SealedCollection<T>(spec.name, this.#store.collection<string>(named), this.#secrets);
  }

  ping(): Promise<void> {
    return this.#store.ping();
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /** Writes a probe the first time and opens it ever after. @throws Error when another master key sealed this data */
  async checkKey(): Promise<void> {
    const probes = this.collection<string>({ name: 'seal', listed: false, sealed: true });
    if (!(await probes.get({ id: 'probe' })))
      await probes.insert({ id: 'probe', value: 'probe' }).catch(() => undefined);
    await probes.get({ id: 'probe' });
  }
}

class SealedCollection<T> implements Collection<T> {
  readonly #name: string;
  readonly #inner: Collection<string>;
  readonly #secrets: Secrets;

  constructor(name: string, inner: Collection<string>, secrets: Secrets) {
    this.#name = name;
    this.#inner = inner;
    this.#secrets = secrets;
  }

  async insert(record: NewRecord<T>): Promise<Stored<T>> {
    return { ...(await this.#inner.insert(this.#seal(record))), value: record.value };
  }

  async get(key: RecordKey): Promise<Stored<T> | undefined> {
    return this.#open(await this.#inner.get(key));
  }

  async replace(record: NewRecord<T>, ifRevision: number): Promise<Stored<T>> {
    return { ...(await this.#inner.replace(this.#seal(record), ifRevision)), value: record.value };
  }

  remove(key: RecordKey): Promise<boolean> {
    return this.#inner.remove(key);
  }

  async take(key: RecordKey): Promise<Stored<T> | undefined> {
    return this.#open(await this.#inner.take(key));
  }

  async list(query: PageQuery): Promise<Stored<T>[]> {
    return (await this.#inner.list(query)).flatMap((record) => this.#open(record) ?? []);
  }

  ids(query: PageQuery): Promise<string[]> {
    return this.#inner.ids(query);
  }

  #seal(record: NewRecord<T>): NewRecord<string> {
    return { ...record, value: this.#secrets.seal(JSON.stringify(record.value), this.#context(record)) };
  }

  #open(record: Stored<string> | undefined): Stored<T> | undefined {
    return record && { ...record, value: JSON.parse(this.#secrets.open(record.value, this.#context(record))) as T };
  }

  /** Binds a value to its place, so that ciphertext cannot be moved to another record. */
  #context({ parent = '', id }: RecordKey): string {
    return `${this.#name}\n${parent}\n${id}`;
  }
}
