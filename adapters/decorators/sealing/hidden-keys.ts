import type { Collection, CollectionSpec, Stored } from '../../../ports/store.ts';

type Member = NonNullable<CollectionSpec<unknown>['hidden']>;

/** A collection that stores another id, or another parent, for each: that which `hide` returns. */
export function withHidden<T>(
  inner: Collection<T>,
  member: Member,
  hide: (key: { id?: string; parent?: string }) => string,
): Collection<T> {
  const hidden = <K extends { id?: string; parent?: string }>(key: K): K => ({ ...key, [member]: hide(key) });
  const shown = <S extends Stored<T> | undefined>(
    stored: S,
    { [member]: text = '' }: { id?: string; parent?: string },
  ) => stored && { ...stored, [member]: text };
  return {
    insert: async (record) => shown(await inner.insert(hidden(record)), record),
    get: async (key) => shown(await inner.get(hidden(key)), key),
    replace: async (record, ifRevision) => shown(await inner.replace(hidden(record), ifRevision), record),
    remove: async (key) => inner.remove(hidden(key)),
    take: async (key) => shown(await inner.take(hidden(key)), key),
    list: async (query) => (await inner.list(hidden(query))).map((stored) => shown(stored, query)),
    ids: (query) => inner.ids(hidden(query)),
  };
}
