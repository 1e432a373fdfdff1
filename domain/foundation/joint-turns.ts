/** The calls that are answered together. */
interface Turn<I, O> {
  items: I[];
  results: Promise<O[]>;
}

/**
 * Does the work of many callers at once: the calls for one key that arrive while a turn is under way share the next one,
 * so one process never competes with itself for a record.
 */
export class JointTurns<I, O> {
  /** One entry for each key with calls under way, in both maps. */
  readonly #next = new Map<string, Turn<I, O>>();
  readonly #last = new Map<string, Promise<unknown>>();

  /** Returns the result for this item of those that `run` returns for all items of a turn. @throws what `run` throws, for all of them */
  async join(key: string, item: I, run: (items: readonly I[]) => Promise<O[]>): Promise<O> {
    const turn = this.#next.get(key) ?? this.#begin(key, run);
    const place = turn.items.push(item) - 1;
    return (await turn.results)[place] as O;
  }

  #begin(key: string, run: (items: readonly I[]) => Promise<O[]>): Turn<I, O> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const results = before.then(() => {
      this.#next.delete(key);
      return run(turn.items);
    });
    const turn: Turn<I, O> = { items: [], results };
    const ended: Promise<unknown> = results
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(key) === ended) this.#last.delete(key);
      });
    this.#next.set(key, turn);
    this.#last.set(key, ended);
    return turn;
  }
}
