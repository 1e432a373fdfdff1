/** The calls that are answered together. */
interface Turn<T> {
  count: number;
  taken: Promise<T[]>;
}

/**
 * Takes things for many callers at once: the calls for one key that arrive while a take is under way share the next
 * one, so one process never competes with itself for a record.
 */
export class JointTakes<T> {
  /** One entry for each key with calls under way, in both maps. */
  readonly #next = new Map<string, Turn<T>>();
  readonly #last = new Map<string, Promise<unknown>>();

  /** Returns `count` things of those that `take` returns for all callers of a turn. @throws what `take` throws, for all of them */
  async take(key: string, count: number, take: (count: number) => Promise<T[]>): Promise<T[]> {
    const turn = this.#next.get(key) ?? this.#begin(key, take);
    const from = turn.count;
    turn.count += count;
    return (await turn.taken).slice(from, from + count);
  }

  #begin(key: string, take: (count: number) => Promise<T[]>): Turn<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const taken = before.then(() => {
      this.#next.delete(key);
      return take(turn.count);
    });
    const turn: Turn<T> = { count: 0, taken };
    const ended: Promise<unknown> = taken
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(key) === ended) this.#last.delete(key);
      });
    this.#next.set(key, turn);
    this.#last.set(key, ended);
    return turn;
  }
}
