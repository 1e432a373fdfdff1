import { setImmediate } from 'node:timers/promises';
import type { Collection, CollectionSpec, Store } from '../../ports/store.ts';

/** A real store that stops before each call, until the call is let through; a process that was killed never is. */
export class SteppedStore implements Store {
  readonly #store: Store;
  #waiting: (() => Promise<void>) | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  collection<T>(spec: CollectionSpec<T>): Collection<T> {
    return new Proxy(this.#store.collection(spec), {
      get: (target, name: keyof Collection<T>) => {
        const method = (target[name] as (...args: unknown[]) => Promise<unknown>).bind(target);
        return (...args: unknown[]) => this.#turn(() => method(...args));
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

  /** Whether a call waits. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  /** Lets the waiting call through; resolves when it is answered. */
  async letThrough(): Promise<void> {
    const call = this.#waiting;
    this.#waiting = undefined;
    await call?.();
  }

  #turn<R>(call: () => Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting = () => call().then(resolve, reject);
    });
  }
}

/** Work on a stepped store, call by call. */
export class Actor {
  /** What came of the work; undefined while it goes on. */
  outcome: { isDone: boolean; error?: unknown } | undefined;
  readonly #store: SteppedStore;

  constructor(store: Store, work: (store: Store) => Promise<unknown>) {
    this.#store = new SteppedStore(store);
    work(this.#store).then(
      () => {
        this.outcome = { isDone: true };
      },
      (error) => {
        this.outcome = { isDone: false, error };
      },
    );
  }

  get isDone(): boolean {
    return this.outcome?.isDone === true;
  }

  /** Does one call; false when the work is over. */
  async step(): Promise<boolean> {
    await this.#settle();
    if (this.outcome) return false;
    await this.#store.letThrough();
    await this.#settle();
    return true;
  }

  /** Does the rest, or `most` calls. */
  async run(most = Number.POSITIVE_INFINITY): Promise<void> {
    for (let calls = 0; calls < most && (await this.step()); calls += 1);
  }

  async #settle(): Promise<void> {
    while (!this.outcome && !this.#store.isWaiting) await setImmediate();
  }
}
