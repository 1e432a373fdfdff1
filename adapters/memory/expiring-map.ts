/** The rules of the entries. */
interface ExpiringMapOptions<V> {
  capacity: number;
  /** Whether an entry has expired. */
  isOver(value: V, now: number): boolean;
  /** Called with every entry that is evicted. */
  release?(value: V): void;
}

const STEPS = 2;
const STEPS_WHEN_FULL = 64;

/** A bounded map: inserts evict expired entries incrementally, never live ones. */
export class ExpiringMap<V> {
  readonly #entries = new Map<string, V>();
  #cursor = this.#entries.entries();

  constructor(private readonly options: ExpiringMapOptions<V>) {}

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: V): void {
    this.#entries.set(key, value);
  }

  /** Whether another key fits, after evicting some expired entries. */
  hasRoom(now: number): boolean {
    const { capacity } = this.options;
    const steps = this.#entries.size < capacity ? STEPS : STEPS_WHEN_FULL;
    for (let step = 0; step < steps; step += 1) this.#sweep(now);
    return this.#entries.size < capacity;
  }

  #sweep(now: number): void {
    const { done, value: entry } = this.#cursor.next();
    if (done) this.#cursor = this.#entries.entries();
    else if (this.options.isOver(entry[1], now)) {
      this.#entries.delete(entry[0]);
      this.options.release?.(entry[1]);
    }
  }
}
