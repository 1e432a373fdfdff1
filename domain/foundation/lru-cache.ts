import { fingerprint } from './bytes.ts';
import { CACHE_BYTES, type CacheName } from './cache-bounds.ts';

/** Memory of an entry beside its value, in bytes. */
export const ENTRY_BYTES = 256;

/** Entries larger than this part of the cache are not stored, so that one entry never evicts many. */
const LARGEST_PART = 1 / 3;

interface Entry<T> {
  value: T;
  bytes: number;
}

/** The entries of one owner, least recently used first. */
interface Share<T> {
  entries: Map<string, Entry<T>>;
  bytes: number;
}

/** The memory of a value, in bytes beside the entry, and its owner; one shared owner when absent. */
interface EntryCost {
  bytes?: number;
  owner?: string;
}

/**
 * A cache bounded in bytes (`CACHE_BYTES`). Keys are stored as digests. The least recently used entry of the owner with
 * the largest share is evicted first, so no owner evicts another's small share.
 */
export class LruCache<T> {
  readonly #maxBytes: number;
  readonly #shares = new Map<string, Share<T>>();
  #bytes = 0;

  constructor(name: CacheName, maxBytes: number = CACHE_BYTES[name]) {
    this.#maxBytes = maxBytes;
  }

  /** The stated bytes of all entries. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string | Uint8Array, owner = ''): T | undefined {
    const entries = this.#shares.get(owner)?.entries;
    const name = fingerprint(key);
    const entry = entries?.get(name);
    if (!entries || !entry) return undefined;
    entries.delete(name);
    entries.set(name, entry);
    return entry.value;
  }

  /** Stores a value and returns it. */
  set(key: string | Uint8Array, value: T, { bytes = 0, owner = '' }: EntryCost = {}): T {
    const name = fingerprint(key);
    this.#drop(owner, name);
    const entry = { value, bytes: ENTRY_BYTES + bytes };
    if (entry.bytes > this.#maxBytes * LARGEST_PART) return value;
    const share = this.#shares.get(owner) ?? { entries: new Map<string, Entry<T>>(), bytes: ownerBytes(owner) };
    if (share.entries.size === 0) {
      this.#shares.set(owner, share);
      this.#bytes += share.bytes;
    }
    share.entries.set(name, entry);
    this.#grow(share, entry.bytes);
    while (this.#bytes > this.#maxBytes) this.#makeRoom();
    return value;
  }

  delete(key: string | Uint8Array, owner = ''): void {
    this.#drop(owner, fingerprint(key));
  }

  clear(): void {
    this.#shares.clear();
    this.#bytes = 0;
  }

  #grow(share: Share<T>, bytes: number): void {
    share.bytes += bytes;
    this.#bytes += bytes;
  }

  #makeRoom(): void {
    let [largest, most] = ['', -1];
    for (const [owner, { bytes }] of this.#shares) if (bytes > most) [largest, most] = [owner, bytes];
    const [oldest = ''] = this.#shares.get(largest)?.entries.keys() ?? [];
    this.#drop(largest, oldest);
  }

  #drop(owner: string, name: string): void {
    const share = this.#shares.get(owner);
    const entry = share?.entries.get(name);
    if (!share || !entry) return;
    share.entries.delete(name);
    this.#grow(share, -entry.bytes);
    if (share.entries.size > 0) return;
    this.#shares.delete(owner);
    this.#bytes -= share.bytes;
  }
}

const ownerBytes = (owner: string): number => ENTRY_BYTES + 2 * owner.length;
