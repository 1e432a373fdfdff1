import type { Collection } from '../../ports/store.ts';

/** Does an operation of a collection, or refuses to. */
type Around = <R>(operation: keyof Collection<unknown>, work: () => Promise<R>) => Promise<R>;

/** The same collection; each operation is done by `around`. */
export const wrapped = <T>(inner: Collection<T>, around: Around): Collection<T> => ({
  insert: (record) => around('insert', () => inner.insert(record)),
  get: (key) => around('get', () => inner.get(key)),
  replace: (record, ifRevision) => around('replace', () => inner.replace(record, ifRevision)),
  remove: (key) => around('remove', () => inner.remove(key)),
  take: (key) => around('take', () => inner.take(key)),
  list: (query) => around('list', () => inner.list(query)),
  ids: (query) => around('ids', () => inner.ids(query)),
});
