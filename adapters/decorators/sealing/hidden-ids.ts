import type { Collection, RecordKey, Stored } from '../../../ports/store.ts';

/** A collection, not a listed one, that stores another id for each, which `hide` returns. */
export function withHiddenIds<T>(inner: Collection<T>, hide: (key: RecordKey) => string): Collection<T> {
  const shown = <S extends Stored<T> | undefined>(stored: S, { id }: RecordKey): S => stored && { ...stored, id };
  const hidden = <K extends RecordKey>(key: K): K => ({ ...key, id: hide(key) });
  return {
    insert: async (record) => shown(await inner.insert(hidden(record)), record),
    get: async (key) => shown(await inner.get(hidden(key)), key),
    replace: async (record, ifRevision) => shown(await inner.replace(hidden(record), ifRevision), record),
    remove: async (key) => inner.remove(hidden(key)),
    take: async (key) => shown(await inner.take(hidden(key)), key),
    list: (query) => inner.list(query),
    ids: (query) => inner.ids(query),
  };
}
