import type { Clock } from '../../ports/system.ts';

/** What was loaded, and how long and how costly it is to keep. */
export interface Loaded<T> {
  value: T;
  /** Milliseconds; not kept at all unless positive. */
  ttlMs: number;
  /** What it takes of the cache's capacity. */
  size: number;
}

interface Kept<T> {
  /** The outcome again, be it a value or an error. */
  outcome: () => T;
  from: number;
  until: number;
  size: number;
}

/** What a cache is made of. */
export interface CacheOptions<T> {
  load: (key: string) => Promise<Loaded<T>>;
  /** How long a failure is remembered, in milliseconds. */
  failureTtlMs: number;
  maxEntries: number;
  maxSize: number;
  clock: Clock;
}

/** Keeps what was loaded for a while, least recently used goes first; whoever asks meanwhile shares one load. */
export class TimedCache<T> {
  readonly #options: CacheOptions<T>;
  readonly #kept = new Map<string, Kept<T>>();
  readonly #loading = new Map<string, Promise<T>>();
  #size = 0;

  constructor(options: CacheOptions<T>) {
    this.#options = options;
  }

  async get(key: string): Promise<T> {
    const known = this.#fresh(key);
    if (known) return known.outcome();
    const under = this.#loading.get(key);
    if (under) return under;
    const loading = this.#load(key).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  /** A record from the future is not trusted: the clock was moved. */
  #fresh(key: string): Kept<T> | undefined {
    const known = this.#kept.get(key);
    if (!known) return undefined;
    this.#drop(key);
    const now = this.#options.clock.now();
    if (now < known.from || now >= known.until) return undefined;
    this.#keep(key, known);
    return known;
  }

  async #load(key: string): Promise<T> {
    const { load, failureTtlMs } = this.#options;
    try {
      const { value, ttlMs, size } = await load(key);
      this.#remember(key, { outcome: () => value, ttlMs, size });
      return value;
    } catch (error) {
      const outcome = () => {
        throw error;
      };
      this.#remember(key, { outcome, ttlMs: failureTtlMs, size: 0 });
      throw error;
    }
  }

  #remember(key: string, { outcome, ttlMs, size }: { outcome: () => T; ttlMs: number; size: number }): void {
    const from = this.#options.clock.now();
    if (ttlMs > 0) this.#keep(key, { outcome, from, until: from + ttlMs, size });
  }

  #keep(key: string, record: Kept<T>): void {
    this.#drop(key);
    this.#kept.set(key, record);
    this.#size += record.size;
    const { maxEntries, maxSize } = this.#options;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxEntries && this.#size <= maxSize) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }
}
