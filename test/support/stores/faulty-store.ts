import { DomainError } from '../../../domain/foundation/errors.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';

/** A real store in which every call, or only the n-th from now, can be made to fail. */
export class FaultyStore implements Store {
  readonly #store: Store;
  readonly #faults: StoreFaults;

  constructor(store: Store, faults: StoreFaults) {
    this.#store = store;
    this.#faults = faults;
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    const inner = this.#store.collection(spec);
    return new Proxy(inner, {
      get: (target, name: keyof Collection<T>) => {
        const method = (target[name] as (...args: unknown[]) => Promise<unknown>).bind(target);
        return async (...args: unknown[]) => {
          this.#faults.strike();
          return method(...args);
        };
      },
    });
  }

  async ping(): Promise<void> {
    this.#faults.strike();
    await this.#store.ping();
  }

  async checkWritable(): Promise<void> {
    this.#faults.strike();
    await this.#store.checkWritable();
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

/** When the store fails. */
export class StoreFaults {
  /** Whether every call fails. */
  down = false;
  /** Calls until one fails; 0 for never. */
  failIn = 0;
  /** Whether every call after a failed one fails too, as after the end of the process. */
  isDeadly = false;
  /** Calls so far. */
  calls = 0;

  /** Ends every fault. */
  end(): void {
    Object.assign(this, { down: false, failIn: 0, isDeadly: false });
  }

  strike(): void {
    this.calls += 1;
    const due = this.failIn > 0 && --this.failIn === 0;
    if (due && this.isDeadly) this.down = true;
    if (this.down || due) throw new DomainError('StoreUnavailable', 'The store cannot be reached');
  }
}
