/** The calls that are answered together. */
interface Batch<I, O> {
  items: I[];
  results: Promise<O[]>;
}

/**
 * Does the work of many callers at once: the calls for one key that arrive while a batch is under way share the next one,
 * so one process never competes with itself for a record.
 */
export class CallBatches<I, O> {
  /** One entry for each key with calls under way, in both maps. */
  readonly #next = new Map<string, Batch<I, O>>();
  readonly #last = new Map<string, Promise<unknown>>();

  /** Returns the result for this item of those that `run` returns for all items of a batch. @throws what `run` throws, for all of them */
  async join(key: string, item: I, run: (items: readonly I[]) => Promise<O[]>): Promise<O> {
    const batch = this.#next.get(key) ?? this.#begin(key, run);
    const place = batch.items.push(item) - 1;
    return (await batch.results)[place] as O;
  }

  #begin(key: string, run: (items: readonly I[]) => Promise<O[]>): Batch<I, O> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const results = before.then(() => {
      this.#next.delete(key);
      return run(batch.items);
    });
    const batch: Batch<I, O> = { items: [], results };
    const ended: Promise<unknown> = results
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(key) === ended) this.#last.delete(key);
      });
    this.#next.set(key, batch);
    this.#last.set(key, ended);
    return batch;
  }
}
