/** Which record of a database. */
export interface RawKey {
  collection: string;
  listed: boolean;
  parent: string;
  id: string;
}

/** A record as a database keeps it: what was sealed stays sealed. Times are milliseconds since the epoch. */
export interface RawRecord extends RawKey {
  /** JSON text. */
  body: string;
  revision: number;
  createdAt: number;
  updatedAt: number;
  expiresAt?: number;
}

/**
 * A database that can be copied out of and into, beside the servers that use it. A page that failed is tried again for
 * a while; then, and at once from `ping`, the failure is `StoreUnavailable`.
 */
export interface RawStore {
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Everything that is kept throughout, in pages of about `size`; a record may come twice. Timers and sockets are served between pages. */
  records(size: number): AsyncIterable<RawRecord[]>;
  /** The records of these keys, in their order, also expired ones that are still there. */
  get(keys: RawKey[]): Promise<(RawRecord | undefined)[]>;
  /** Keeps records just as they are given, in the place of others; gives how many were not there already, the same. */
  put(records: RawRecord[]): Promise<number>;
  delete(keys: RawKey[]): Promise<void>;
  close(): Promise<void>;
}
