/** What is kept, and until when. */
export interface ExpiringMapOptions<V> {
  capacity: number;
  /** Whether a value means nothing any more. */
  isOver(value: V, now: number): boolean;
  /** Is told of every value that is let go. */
  release?(value: V): void;
}

const STEPS = 2;
const STEPS_WHEN_FULL = 64;

/** A map that never lets go of what still counts: new keys make room by passing over some old ones, round and round. */
export class ExpiringMap<V> {
  readonly #entries = new Map<string, V>();
  readonly #options: ExpiringMapOptions<V>;
  #cursor = this.#entries.entries();

  constructor(options: ExpiringMapOptions<V>) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: V): void {
    this.#entries.set(key, value);
  }

  /** Whether another key fits in, after looking for some that are over. */
  hasRoom(now: number): boolean {
    const { capacity } = this.#options;
    const steps = this.#entries.size < capacity ? STEPS : STEPS_WHEN_FULL;
    for (let step = 0; step < steps; step += 1) this.#sweep(now);
    return this.#entries.size < capacity;
  }

  #sweep(now: number): void {
    const { done, value: entry } = this.#cursor.next();
    if (done) this.#cursor = this.#entries.entries();
    else if (this.#options.isOver(entry[1], now)) {
      this.#entries.delete(entry[0]);
      this.#options.release?.(entry[1]);
    }
  }
}
