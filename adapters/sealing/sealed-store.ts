import { DomainError } from '../../domain/errors.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { Collection, CollectionSpec, NewRecord, PageQuery, RecordKey, Store, Stored } from '../../ports/store.ts';

/**
 * Wraps a store so that the values of sealed collections are ciphertext in it (decisions §13). They are only touched
 * once it is known that this master key sealed them.
 */
export class SealedStore implements Store {
  readonly #store: Store;
  readonly #secrets: Secrets;
  #checking: Promise<void> | undefined;

  constructor(store: Store, secrets: Secrets) {
    this.#store = store;
    this.#secrets = secrets;
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    if (!spec.sealed) return this.#store.collection(spec);
    return this.#seal(spec, () => this.#usable());
  }

  /** Resolves when the database answers and its data can be opened. */
  async ping(): Promise<void> {
    await this.#store.ping();
    await this.#usable();
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /**
   * Writes a probe the first time and opens it ever after.
   * @throws Error when another master key sealed this data; DomainError `StoreUnavailable` when that cannot be told now
   */
  checkKey(): Promise<void> {
    this.#checking ??= this.#openProbe().catch((error) => {
      this.#checking = undefined;
      throw error;
    });
    return this.#checking;
  }

  async #openProbe(): Promise<void> {
    const probes = this.#seal<string>({ name: 'seal', listed: false, sealed: true }, async () => {});
    if (await probes.get({ id: 'probe' })) return;
    await probes.insert({ id: 'probe', value: 'probe' }).catch(() => undefined);
    await probes.get({ id: 'probe' });
  }

  async #usable(): Promise<void> {
    await this.checkKey().catch((cause) => {
      if (cause instanceof DomainError) throw cause;
      throw new DomainError('StoreUnavailable', 'The store cannot be used', { cause });
    });
  }

  #seal<T>({ type: _, ...named }: CollectionSpec<T>, usable: () => Promise<void>): Collection<T> {
    return new SealedCollection<T>({
      name: named.name,
      inner: this.#store.collection<string>(named),
      secrets: this.#secrets,
      usable,
    });
  }
}

interface SealedParts {
  name: string;
  inner: Collection<string>;
  secrets: Secrets;
  /** Resolves when the master key is known to be the right one. */
  usable: () => Promise<void>;
}

class SealedCollection<T> implements Collection<T> {
  readonly #parts: SealedParts;

  constructor(parts: SealedParts) {
    this.#parts = parts;
  }

  async insert(record: NewRecord<T>): Promise<Stored<T>> {
    await this.#parts.usable();
    return withValue(await this.#parts.inner.insert(this.#seal(record)), record.value);
  }

  async get(key: RecordKey): Promise<Stored<T> | undefined> {
    await this.#parts.usable();
    return this.#open(await this.#parts.inner.get(key));
  }

  async replace(record: NewRecord<T>, ifRevision: number): Promise<Stored<T>> {
    await this.#parts.usable();
    return withValue(await this.#parts.inner.replace(this.#seal(record), ifRevision), record.value);
  }

  remove(key: RecordKey): Promise<boolean> {
    return this.#parts.inner.remove(key);
  }

  async take(key: RecordKey): Promise<Stored<T> | undefined> {
    await this.#parts.usable();
    return this.#open(await this.#parts.inner.take(key));
  }

  async list(query: PageQuery): Promise<Stored<T>[]> {
    await this.#parts.usable();
    return (await this.#parts.inner.list(query)).flatMap((record) => this.#open(record) ?? []);
  }

  ids(query: PageQuery): Promise<string[]> {
    return this.#parts.inner.ids(query);
  }

  #seal(record: NewRecord<T>): NewRecord<string> {
    return { ...record, value: this.#parts.secrets.seal(JSON.stringify(record.value), this.#context(record)) };
  }

  #open(record: Stored<string> | undefined): Stored<T> | undefined {
    return record && withValue(record, JSON.parse(this.#parts.secrets.open(record.value, this.#context(record))) as T);
  }

  /** Binds a value to its place, so that ciphertext cannot be moved to another record. */
  #context({ parent = '', id }: RecordKey): string {
    return `${this.#parts.name}\n${parent}\n${id}`;
  }
}

/** Assigned, not spread: every access does this, and it is ten times faster. */
const withValue = <T>(record: Stored<string>, value: T): Stored<T> => Object.assign({}, record, { value });
