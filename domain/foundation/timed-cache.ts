import type { Clock } from '../../ports/system.ts';
import type { CacheName } from './cache-bounds.ts';
import { LruCache } from './lru-cache.ts';

/** What was loaded, how long it may be kept and how much memory it takes. */
export interface Loaded<T> {
  value: T;
  /** Milliseconds; not kept at all unless positive. */
  ttlMs: number;
  bytes: number;
}

interface Kept<T> {
  /** The outcome again, be it a value or an error. */
  outcome: () => T;
  from: number;
  until: number;
}

/** What a cache is made of. */
export interface CacheOptions<T> {
  name: CacheName;
  load: (key: string) => Promise<Loaded<T>>;
  /** How long a failure is remembered, in milliseconds; not at all when 0. */
  failureTtlMs: number;
  clock: Clock;
  /** In place of what the table of caches says. */
  maxBytes?: number;
}

/** An error with its cause. */
const FAILURE_BYTES = 4096;

/** Keeps what was loaded for a while, for each owner apart; all callers who ask meanwhile share one load. */
export class TimedCache<T> {
  readonly #options: CacheOptions<T>;
  readonly #kept: LruCache<Kept<T>>;
  /** As many as there are calls under way. */
  readonly #loading = new Map<string, Promise<T>>();

  constructor(options: CacheOptions<T>) {
    this.#options = options;
    this.#kept = new LruCache(options.name, options.maxBytes);
  }

  async get(key: string, owner = ''): Promise<T> {
    const known = this.#fresh(key, owner);
    if (known) return known.outcome();
    const name = `${owner} ${key}`;
    const underWay = this.#loading.get(name);
    if (underWay) return underWay;
    const loading = this.#load(key, owner).finally(() => this.#loading.delete(name));
    this.#loading.set(name, loading);
    return loading;
  }

  /** Forgets what is kept of a key; the next call loads it again. */
  forget(key: string, owner = ''): void {
    this.#kept.delete(key, owner);
  }

  /** A record from the future is not trusted: the clock was moved. */
  #fresh(key: string, owner: string): Kept<T> | undefined {
    const known = this.#kept.get(key, owner);
    const now = this.#options.clock.now();
    if (!known || (now >= known.from && now < known.until)) return known;
    this.#kept.delete(key, owner);
    return undefined;
  }

  async #load(key: string, owner: string): Promise<T> {
    const { load, failureTtlMs } = this.#options;
    const keep = (outcome: () => T, ttlMs: number, bytes: number): void => {
      const from = this.#options.clock.now();
      if (ttlMs > 0) this.#kept.set(key, { outcome, from, until: from + ttlMs }, { bytes, owner });
    };
    try {
      const { value, ttlMs, bytes } = await load(key);
      keep(() => value, ttlMs, bytes);
      return value;
    } catch (error) {
      const outcome = () => {
        throw error;
      };
      keep(outcome, failureTtlMs, FAILURE_BYTES);
      throw error;
    }
  }
}
