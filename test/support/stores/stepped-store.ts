import { setImmediate } from 'node:timers/promises';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';

/** A real store that stops before each call until the test releases it; a killed process is never released. */
export class SteppedStore implements Store {
  readonly #store: Store;
  readonly #waiting: (() => Promise<void>)[] = [];

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
    return this.#waiting.length > 0;
  }

  /** Releases the call that waits longest; resolves when it is answered. */
  async letThrough(): Promise<void> {
    await this.#waiting.shift()?.();
  }

  #turn<R>(call: () => Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => call().then(resolve, reject));
    });
  }
}

/** Work on a stepped store, call by call. */
export class Actor {
  /** The outcome of the work; undefined while it runs. */
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

  /** Releases one call; false when the work is done. */
  async step(): Promise<boolean> {
    await this.#settle();
    if (this.outcome) return false;
    await this.#store.letThrough();
    await this.#settle();
    return true;
  }

  /** Releases the remaining calls, or at most `most`. */
  async run(most = Number.POSITIVE_INFINITY): Promise<void> {
    for (let calls = 0; calls < most && (await this.step()); calls += 1);
  }

  async #settle(): Promise<void> {
    while (!this.outcome && !this.#store.isWaiting) await setImmediate();
  }
}
