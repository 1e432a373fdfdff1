import type { Collection, NewRecord, RecordKey, Stored } from '../../ports/store.ts';
import { DomainError, isDomainError } from './errors.ts';

/** Each lost race means that another writer succeeded, so up to this many concurrent writers of a record all succeed. */
export const MAX_ATTEMPTS = 200;
const PAGE = 200;

/** A change of one record. */
export interface Update<T, U extends T> {
  collection: Collection<T>;
  key: RecordKey;
  /**
   * Computes the new value; the same value writes nothing. It is called again on the present value when another writer
   * was first, so it must be pure.
   */
  change(value: T): U;
  /** The record as it was read before, which saves a read when it has not changed since. */
  from?: Stored<T>;
  /** The new end of the record's life, in milliseconds since the epoch; it stays as it is when absent. */
  expiresAt?(value: U, before: Stored<T>): number | undefined;
}

/**
 * Changes a record by optimistic concurrency: of any number of concurrent changes each takes effect on the result of
 * the ones before it. Returns undefined when there is no such record.
 * @throws what `change` throws for the present value; DomainError `StoreUnavailable` after too many lost races
 */
export async function update<T, U extends T>(wanted: Update<T, U>): Promise<Stored<U> | undefined> {
  const updated = wanted.from && (await attemptFrom(wanted, wanted.from));
  if (updated) return updated;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const before = await wanted.collection.get(wanted.key);
    if (!before) return undefined;
    const value = wanted.change(before.value);
    if (value === before.value) return { ...before, value };
    const written = await replaceUnchanged(wanted, before, value);
    if (written) return written;
  }
  throw tooManyRequests();
}

/** A change of a record that may not exist; `change` is called without a value then. */
export interface Upsert<T> extends Pick<Update<T, T>, 'collection' | 'key'> {
  change(value: T | undefined): T;
  /** The end of the record's life from now on, in milliseconds since the epoch. */
  expiresAt(): number | undefined;
}

/** As `update`, and creates the record when there is none; returns its value. @throws as `update` */
export async function upsert<T>({ collection, key, change, expiresAt }: Upsert<T>): Promise<T> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const changed = await update({ collection, key, change, expiresAt });
    if (changed) return changed.value;
    const value = change(undefined);
    if (await insertFirst(collection, { ...key, value, expiresAt: expiresAt() })) return value;
  }
  throw tooManyRequests();
}

/** The error after `MAX_ATTEMPTS` lost races. */
export const tooManyRequests = (): DomainError =>
  new DomainError('StoreUnavailable', 'Too many requests for one record at once; try again');

/** Writes the change of a record that may be stale; undefined when only the present record can decide. */
function attemptFrom<T, U extends T>(
  wanted: Update<T, U>,
  from: Stored<T>,
): Promise<Stored<U> | undefined> | undefined {
  try {
    const value = wanted.change(from.value);
    return value === from.value ? undefined : replaceUnchanged(wanted, from, value);
  } catch (error) {
    if (isDomainError(error)) return undefined;
    throw error;
  }
}

/** Undefined when another writer was first. */
async function replaceUnchanged<T, U extends T>(
  { collection, key, expiresAt }: Pick<Update<T, U>, 'collection' | 'key' | 'expiresAt'>,
  before: Stored<T>,
  value: U,
): Promise<Stored<U> | undefined> {
  try {
    const record = { ...key, value, expiresAt: expiresAt?.(value, before) };
    return { ...(await collection.replace(record, before.revision)), value };
  } catch (error) {
    if (isDomainError(error, 'Conflict')) return undefined;
    throw error;
  }
}

/** Inserts a record unless there is one with its key; returns whether it is the first: of two at once exactly one is. */
export async function insertFirst<T>(collection: Collection<T>, record: NewRecord<T>): Promise<boolean> {
  try {
    await collection.insert(record);
    return true;
  } catch (error) {
    if (isDomainError(error, 'Conflict')) return false;
    throw error;
  }
}

/**
 * Sees to it that there is a record until `needed`: of those who write the same record at once one does. A record that
 * ends earlier gets the end of this one. Returns the end. @throws DomainError `StoreUnavailable` after too many lost races
 */
export async function keepUntil<T>(
  collection: Collection<T>,
  record: NewRecord<T> & { expiresAt: number },
  needed: number,
): Promise<number> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const known = await collection.get(record);
    const { expiresAt: end = needed } = known ?? {};
    if (known && end >= needed) return end;
    const { expiresAt } = record;
    if (!known && (await insertFirst(collection, record))) return expiresAt;
    const key = { parent: record.parent, id: record.id };
    const longer = { collection, key, expiresAt: () => expiresAt };
    if (known && (await replaceUnchanged(longer, known, record.value))) return expiresAt;
  }
  throw tooManyRequests();
}

/** Where records are read from, and in which order. */
export interface ReadAll<T> {
  collection: Collection<T>;
  parent: string;
  /** The oldest first when absent. */
  order?: 'id' | 'created+' | 'created-';
}

/** Removes all records of one parent; those that disappear meanwhile are no error. */
export async function removeAll<T>({ collection, parent }: ReadAll<T>): Promise<void> {
  for (const { id } of await readAll({ collection, parent })) await collection.remove({ parent, id });
}

/**
 * Returns all records of one parent, page by page. Others may add and remove records meanwhile: one that exists all the time
 * is returned exactly once.
 */
export async function readAll<T>({ collection, parent, order = 'created+' }: ReadAll<T>): Promise<Stored<T>[]> {
  const all: Stored<T>[] = [];
  for (let full = true; full; ) {
    const page = await collection.list({ parent, order: 'id', offset: 0, limit: PAGE, after: all.at(-1)?.id });
    all.push(...page);
    full = page.length === PAGE;
  }
  if (order === 'id') return all;
  const direction = order === 'created+' ? 1 : -1;
  return all.sort((left, right) => direction * (left.createdAt - right.createdAt));
}
