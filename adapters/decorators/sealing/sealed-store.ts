import { SEALS } from '../../../domain/migration/seal-record.ts';
import type { Secrets } from '../../../ports/secrets.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { KeyCheck } from './key-check.ts';
import { SealedCollection } from './sealed-collection.ts';

/**
 * Wraps a store so that the values of sealed collections are ciphertext in it (decisions §13). They are used only after
 * the check that the ring of master keys has every key that sealed them.
 */
export class SealedStore implements Store {
  readonly #secrets: Secrets;
  readonly #keyCheck: KeyCheck;

  constructor(
    private readonly store: Store,
    secrets: Secrets,
    clock: Clock,
  ) {
    this.#secrets = secrets;
    this.#keyCheck = new KeyCheck({ records: store.collection(SEALS), secrets, clock });
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    return spec.sealed ? this.#seal(spec) : this.store.collection(spec);
  }

  /** Resolves when the database answers and its data can be unsealed. */
  async ping(): Promise<void> {
    await this.store.ping();
    await this.#keyCheck.look();
  }

  checkWritable(): Promise<void> {
    return this.store.checkWritable();
  }

  close(): Promise<void> {
    return this.store.close();
  }

  /** @throws Error when the ring lacks a master key of this data; DomainError `StoreUnavailable` when that is unknown now */
  checkKey(): Promise<void> {
    return this.#keyCheck.check();
  }

  #seal<T>({ type: _, ...spec }: CollectionSpec<T>): Collection<T> {
    const inner = this.store.collection<unknown>(spec);
    return new SealedCollection<T>({ spec, inner, secrets: this.#secrets, keyCheck: this.#keyCheck });
  }
}
