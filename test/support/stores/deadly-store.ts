import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';

/** Where a process dies. */
export interface Death {
  collection: string;
  /** The write, counted from 1. */
  write: number;
  when: 'before' | 'after';
}

/** A store whose process dies by SIGKILL at one write of one collection. */
export class DeadlyStore implements Store {
  readonly #store: Store;
  readonly #plan: Death;
  #writes = 0;

  constructor(store: Store, plan: Death) {
    this.#store = store;
    this.#plan = plan;
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    const collection = this.#store.collection(spec);
    if (spec.name !== this.#plan.collection) return collection;
    return Object.assign(Object.create(collection) as Collection<T>, {
      get: collection.get.bind(collection),
      insert: (...args: Parameters<Collection<T>['insert']>) => this.#write(() => collection.insert(...args)),
      replace: (...args: Parameters<Collection<T>['replace']>) => this.#write(() => collection.replace(...args)),
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

  async #write<R>(write: () => Promise<R>): Promise<R> {
    this.#writes += 1;
    const isLast = this.#writes === this.#plan.write;
    if (isLast && this.#plan.when === 'before') process.kill(process.pid, 'SIGKILL');
    const written = await write();
    if (isLast) process.kill(process.pid, 'SIGKILL');
    return written;
  }
}
