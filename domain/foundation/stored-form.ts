import type { Collection, NewRecord, Stored } from '../../ports/store.ts';

/** How values are stored in another form than the one they are used in. */
export interface StoredForm<T, U> {
  write(value: T): U;
  read(stored: U, id: string): T;
}

/**
 * A collection whose values are stored in a form of their own. `completed` completes a single value that is read, where
 * an earlier version stored a part of it elsewhere.
 */
export function withStoredForm<T, U>(
  inner: Collection<U>,
  { write, read }: StoredForm<T, U>,
  completed: (stored: Stored<T>) => Promise<Stored<T>> | Stored<T> = (stored) => stored,
): Collection<T> {
  const opened = (stored: Stored<U>): Stored<T> => ({ ...stored, value: read(stored.value, stored.id) });
  const found = (stored: Stored<U> | undefined): Stored<T> | undefined => stored && opened(stored);
  const closed = (record: NewRecord<T>): NewRecord<U> => ({ ...record, value: write(record.value) });
  return {
    insert: async (record) => ({ ...(await inner.insert(closed(record))), value: record.value }),
    get: async (key) => {
      const stored = found(await inner.get(key));
      return stored && completed(stored);
    },
    replace: async (record, ifRevision) => ({
      ...(await inner.replace(closed(record), ifRevision)),
      value: record.value,
    }),
    remove: (key) => inner.remove(key),
    take: async (key) => found(await inner.take(key)),
    list: async (query) => (await inner.list(query)).map(opened),
    ids: (query) => inner.ids(query),
  };
}
