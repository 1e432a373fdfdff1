import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';

/** A real store that counts the inserted records, of one collection or of all, and notes every operation on them. */
export class CountingStore implements Store {
  /** What was done, as `collection operation`. */
  readonly done: string[] = [];
  inserts = 0;
  /** Those that are not answered. */
  running = 0;
  /** The most that were running at the same time. */
  most = 0;
  /** What they wait for. */
  gate: Promise<void> = Promise.resolve();
  readonly #store: Store;
  readonly #name: string | undefined;

  constructor(store: Store, name?: string) {
    this.#store = store;
    this.#name = name;
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    const inner = this.#store.collection(spec);
    if (this.#name !== undefined && this.#name !== spec.name) return inner;
    return new Proxy(inner, {
      get: (target, name: keyof Collection<T>) => {
        const method = (target[name] as (...args: unknown[]) => unknown).bind(target);
        return (...args: unknown[]) => {
          this.done.push(`${spec.name} ${name}`);
          return name === 'insert' ? this.#count(async () => method(...args)) : method(...args);
        };
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

  async #count<R>(insert: () => Promise<R>): Promise<R> {
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    try {
      await this.gate;
      const inserted = await insert();
      this.inserts += 1;
      return inserted;
    } finally {
      this.running -= 1;
    }
  }
}
