import type { Clock } from '../../ports/system.ts';
import type { CacheName } from './cache-bounds.ts';
import { LruCache } from './lru-cache.ts';

/** A loaded value with its time to live and its memory. */
export interface Loaded<T> {
  value: T;
  /** Milliseconds; not cached unless positive. */
  ttlMs: number;
  bytes: number;
}

interface Entry<T> {
  /** Returns the value or throws the error. */
  outcome: () => T;
  from: number;
  until: number;
}

/** Dependencies of a cache. */
export interface CacheOptions<T> {
  name: CacheName;
  load: (key: string) => Promise<Loaded<T>>;
  /** How long a failure is cached, in milliseconds; 0 for not at all. */
  failureTtlMs: number;
  clock: Clock;
  /** Overrides `CACHE_BYTES`. */
  maxBytes?: number;
}

/** An error with its cause. */
const FAILURE_BYTES = 4096;

/** Caches loaded values for a time, separately for each owner; concurrent callers share one load. */
export class TimedCache<T> {
  readonly #entries: LruCache<Entry<T>>;
  /** One entry for each current load. */
  readonly #loading = new Map<string, Promise<T>>();

  constructor(private readonly options: CacheOptions<T>) {
    this.#entries = new LruCache(options.name, options.maxBytes);
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

  /** Deletes the entry of a key; the next call loads it again. */
  forget(key: string, owner = ''): void {
    this.#entries.delete(key, owner);
  }

  /** An entry from the future is not used: the clock was set back. */
  #fresh(key: string, owner: string): Entry<T> | undefined {
    const known = this.#entries.get(key, owner);
    const now = this.options.clock.now();
    if (!known || (now >= known.from && now < known.until)) return known;
    this.#entries.delete(key, owner);
    return undefined;
  }

  async #load(key: string, owner: string): Promise<T> {
    const { load, failureTtlMs } = this.options;
    const keep = (outcome: () => T, ttlMs: number, bytes: number): void => {
      const from = this.options.clock.now();
      if (ttlMs > 0) this.#entries.set(key, { outcome, from, until: from + ttlMs }, { bytes, owner });
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
