/** The key of a record. `parent` groups the records of a listed collection; '' for all others. */
export interface RecordKey {
  id: string;
  parent?: string;
}

/** A record with its metadata. Times are milliseconds since the epoch. */
export interface Stored<T> {
  id: string;
  parent: string;
  value: T;
  /** Grows by one with each replacement; the first is 1. */
  revision: number;
  /** In a listed collection each write is later than all before it with the same parent (domain/foundation/last-writes.ts). */
  createdAt: number;
  /** Never before `createdAt` or an earlier update. */
  updatedAt: number;
  expiresAt?: number;
}

/** A new record. Expired records (`expiresAt`, ms) are invisible to every operation. */
export interface NewRecord<T> extends RecordKey {
  value: T;
  expiresAt?: number;
}

/** The total orders of a list; ties in time are broken by id in the same direction. */
export type Order = 'id' | 'id-' | 'created+' | 'created-' | 'updated+' | 'updated-';

/** One page of one parent's records. */
export interface PageQuery {
  parent: string;
  order: Order;
  offset: number;
  limit: number;
  /**
   * In an order by id: the page is counted from the record that follows this id, whether it exists or not. Such a page
   * costs the same anywhere in a list.
   */
  after?: string;
  /** The same in an order by creation: the page is counted from the record that follows this time, in milliseconds since the epoch. */
  afterTime?: number;
}

/**
 * What becomes of the records that a backup brought back (`credenza restored`): they are `kept`; or `void`, where a record
 * is good for one use or may have ended since, or the next number is counted from it; or changed, undefined being void.
 */
export type AfterRestore<T> = 'kept' | 'void' | { change(value: T): T | undefined };

/** A value at rest: JSON text, or the bytes of a sealed value. */
export type Body = string | Uint8Array;

/** How the JSON text of a record is sealed, bound to its key. */
export interface Sealing {
  seal(text: string, key: RecordKey): Uint8Array;
  /** @throws DomainError `StoreUnavailable` for what another master key sealed, or another record */
  unseal(body: Body, key: RecordKey): string;
}

/** The name of a collection and how it is stored. */
export interface CollectionSpec<T> {
  name: string;
  /** Listed collections can be paged by parent; others, which is what they are when absent, are reached by id only and cost less. */
  listed?: boolean;
  /** Values are stored as ciphertext unless it is false, for what is neither a secret nor about persons. */
  sealed?: boolean;
  afterRestore: AfterRestore<T>;
  /** The ids, or the parents of a listed collection, say who or what they are of: they are stored as keyed digests. Of sealed collections. */
  hidden?: 'id' | 'parent';
  /** Given by the store that seals to the one below it. */
  sealing?: Sealing;
  /** Phantom: ties the spec to its value type. */
  readonly type?: T;
}

/** A collection of records. Values are plain JSON. Every write is atomic with its indexes. */
export interface Collection<T> {
  /** @throws DomainError `Conflict` when a live record has this key. */
  insert(record: NewRecord<T>): Promise<Stored<T>>;
  get(key: RecordKey): Promise<Stored<T> | undefined>;
  /**
   * Replaces a value when the record still has `ifRevision`; of two at once exactly one wins.
   * `expiresAt` is kept unless given; one that has passed removes the record. @throws DomainError `Conflict` when
   * the revision differs or the record does not exist.
   */
  replace(record: NewRecord<T>, ifRevision: number): Promise<Stored<T>>;
  /** Returns whether there was a record. */
  remove(key: RecordKey): Promise<boolean>;
  /** Gets and deletes in one step: of two at once exactly one receives the record. */
  take(key: RecordKey): Promise<Stored<T> | undefined>;
  /** Other work has its turn before the answer, so that no loop over pages stands the process. */
  list(query: PageQuery): Promise<Stored<T>[]>;
  /** The ids of `list`, without reading the values; with the same turn. */
  ids(query: PageQuery): Promise<string[]>;
}

/** A database. Its failures are DomainError `StoreUnavailable`, whose `detail` names the database and the cause. */
export interface Store {
  collection<T>(spec: CollectionSpec<T>): Collection<T>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Resolves when every node of the database accepted a write, which leaves nothing behind. */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}
