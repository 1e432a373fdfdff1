/** Where a record lives. `parent` groups the records of a listed collection; '' for all others. */
export interface RecordKey {
  id: string;
  parent?: string;
}

/** A record with what the store knows of it. Times are milliseconds since the epoch. */
export interface Stored<T> {
  id: string;
  parent: string;
  value: T;
  /** Grows by one with each replacement; the first is 1. */
  revision: number;
  /** In a listed collection each write is later than all before it with the same parent (domain/foundation/last-writes.ts). */
  createdAt: number;
  /** Never before `createdAt` nor before the update that came before it. */
  updatedAt: number;
  expiresAt?: number;
}

/** What a new record consists of. After `expiresAt` (ms) it is as if it had never been. */
export interface NewRecord<T> extends RecordKey {
  value: T;
  expiresAt?: number;
}

/** The total orders of a list; ties in time are broken by id in the same direction. */
export type Order = 'id' | 'created+' | 'created-' | 'updated+' | 'updated-';

/** One page of one parent's records. */
export interface PageQuery {
  parent: string;
  order: Order;
  offset: number;
  limit: number;
}

/** Names a collection and says how it is kept. */
export interface CollectionSpec<T> {
  name: string;
  /** Listed collections can be paged by parent; the others are only reached by id and cost less. */
  listed: boolean;
  /** Sealed collections hold only ciphertext at rest. */
  sealed: boolean;
  /** Their ids say who a person is, so only keyed digests of them are at rest; for sealed collections without lists. */
  hiddenIds?: boolean;
  /** Version 0.1.0 kept them in clear: such records of a sealed collection are read too, and sealed when possible. */
  wasClear?: boolean;
  /** Phantom: ties the spec to its value type. */
  readonly type?: T;
}

/** One kind of record. Values are plain JSON. Every write is atomic with its indexes. */
export interface Collection<T> {
  /** @throws DomainError `Conflict` when a live record has this key. */
  insert(record: NewRecord<T>): Promise<Stored<T>>;
  get(key: RecordKey): Promise<Stored<T> | undefined>;
  /**
   * Replaces a value when the record still has `ifRevision`; of two at once exactly one wins.
   * `expiresAt` is kept unless given; one that has passed removes the record. @throws DomainError `Conflict` when the record moved or is gone.
   */
  replace(record: NewRecord<T>, ifRevision: number): Promise<Stored<T>>;
  /** Whether there was something to remove. */
  remove(key: RecordKey): Promise<boolean>;
  /** Gets and deletes in one step: of two at once exactly one receives the record. */
  take(key: RecordKey): Promise<Stored<T> | undefined>;
  list(query: PageQuery): Promise<Stored<T>[]>;
  /** The ids of `list`, without reading the values. */
  ids(query: PageQuery): Promise<string[]>;
}

/** A database. Failures of its own are DomainError `StoreUnavailable`, whose `detail` names the database and the cause. */
export interface Store {
  collection<T>(spec: CollectionSpec<T>): Collection<T>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Makes a real write that leaves nothing behind; resolves when the database, each node of it, took one. */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}
