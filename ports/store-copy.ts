import type { Body } from './store.ts';

/** The key of a record in a database. */
export interface RawKey {
  collection: string;
  listed: boolean;
  parent: string;
  id: string;
}

/** A stored record, sealed values included. Times are milliseconds since the epoch. */
export interface RawRecord extends RawKey {
  body: Body;
  revision: number;
  createdAt: number;
  updatedAt: number;
  expiresAt?: number;
}

/** Another body for a record that was read. */
export interface BodyChange {
  record: RawRecord;
  body: Body;
}

/**
 * A database as the source or target of a copy, while servers use it. A failed page is retried for some time; then, and
 * at once in `ping`, the failure is `StoreUnavailable`.
 */
export interface RawStore {
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** All records that exist during the whole run, in pages of about `size`; a record may appear twice. Yields to the event loop between pages. */
  records(size: number): AsyncIterable<RawRecord[]>;
  /** The records of these keys, in their order, including expired ones that were not deleted yet. */
  get(keys: RawKey[]): Promise<(RawRecord | undefined)[]>;
  /** Stores records unchanged, replacing others; returns the number of those that were not stored in the same form before. */
  put(records: RawRecord[]): Promise<number>;
  delete(keys: RawKey[]): Promise<void>;
  /**
   * Replaces the bodies of those records that are still stored as they were read, and nothing else of them: a concurrent
   * write wins. Returns how many were replaced.
   */
  swap(changes: BodyChange[]): Promise<number>;
  close(): Promise<void>;
}
