import type { Collection, NewRecord, RecordKey, Stored } from '../../ports/store.ts';
import { DomainError, ignoring, isDomainError } from './errors.ts';

/** Each lost race means that another writer succeeded, so up to this many concurrent writers of a record all succeed. */
export const MAX_ATTEMPTS = 200;
const PAGE = 200;

/** A change of one record. */
interface Update<T, U extends T> {
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
  const present = await retried(async () => {
    const before = await wanted.collection.get(wanted.key);
    if (!before) return null;
    const value = wanted.change(before.value);
    return value === before.value ? { ...before, value } : replaceUnchanged(wanted, before, value);
  });
  return present ?? undefined;
}

/**
 * Repeats work on the present state until it returns something: undefined means that another writer was first.
 * @throws DomainError `StoreUnavailable` after too many lost races
 */
export async function retried<T>(work: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const outcome = await work();
    if (outcome !== undefined) return outcome;
  }
  throw tooManyRequests();
}

/** A change of a record that may not exist; `change` is called without a value then. */
interface Upsert<T> extends Pick<Update<T, T>, 'collection' | 'key'> {
  change(value: T | undefined): T;
  /** The end of the record's life from now on, in milliseconds since the epoch; it stays as it is when absent. */
  expiresAt?(): number | undefined;
}

/** As `update`, and creates the record when there is none; returns its value. @throws as `update` */
export async function upsert<T>({ collection, key, change, expiresAt }: Upsert<T>): Promise<T> {
  const { value } = await retried(async () => {
    const changed = await update({ collection, key, change, expiresAt });
    if (changed) return changed;
    const first = { ...key, value: change(undefined), expiresAt: expiresAt?.() };
    return (await insertFirst(collection, first)) ? first : undefined;
  });
  return value;
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
  { collection, key: { parent, id }, expiresAt }: Pick<Update<T, U>, 'collection' | 'key' | 'expiresAt'>,
  before: Stored<T>,
  value: U,
): Promise<Stored<U> | undefined> {
  const record = { parent, id, value, expiresAt: expiresAt?.(value, before) };
  const written = await collection.replace(record, before.revision).catch(ignoring('Conflict'));
  return written && { ...written, value };
}

/** Inserts a record unless there is one with its key; returns whether it is the first: of two at once exactly one is. */
export async function insertFirst<T>(collection: Collection<T>, record: NewRecord<T>): Promise<boolean> {
  return (await collection.insert(record).catch(ignoring('Conflict'))) !== undefined;
}

/**
 * Sees to it that there is a record until `needed`: of those who write the same record at once one does. A record that
 * ends earlier gets the end of this one. Returns the end. @throws DomainError `StoreUnavailable` after too many lost races
 */
export function keepUntil<T>(
  collection: Collection<T>,
  record: NewRecord<T> & { expiresAt: number },
  needed: number,
): Promise<number> {
  const { parent, id, value, expiresAt } = record;
  return retried(async () => {
    const known = await collection.get(record);
    if (!known) return (await insertFirst(collection, record)) ? expiresAt : undefined;
    const { expiresAt: end = needed } = known;
    if (end >= needed) return end;
    const longer = { collection, key: { parent, id }, expiresAt: () => expiresAt };
    return (await replaceUnchanged(longer, known, value)) && expiresAt;
  });
}

/** Where records are read from, and in which order. */
interface ReadAll<T> {
  collection: Collection<T>;
  parent: string;
  /** The oldest first when absent. */
  order?: 'id' | 'created+' | 'created-';
}

/** Makes room for one more record of a parent that keeps at most `most`: the oldest goes. */
export async function makeRoom(collection: Collection<unknown>, { parent, most }: { parent: string; most: number }) {
  const ids = await collection.ids({ parent, order: 'created+', offset: 0, limit: most });
  if (ids.length === most) await collection.remove({ parent, id: ids[0] ?? '' });
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
