import type { Collection, CollectionSpec, Store } from '../../ports/store.ts';

/** A real store that counts the inserted records. */
export class CountingStore implements Store {
  inserts = 0;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    const inner = this.#store.collection(spec);
    return new Proxy(inner, {
      get: (target, name: keyof Collection<T>) => {
        if (name === 'insert') this.inserts += 1;
        return (target[name] as (...args: unknown[]) => unknown).bind(target);
      },
    });
  }

  ping(): Promise<void> {
    return this.#store.ping();
  }

  checkWritable(): Promise<void> {
    return this.#store.checkWritable();
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
