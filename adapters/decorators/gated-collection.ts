import type { Collection } from '../../ports/store.ts';

/** The same collection; each operation waits first for what `gate` returns, if anything, and fails with it. */
export function gated<T>(inner: Collection<T>, gate: () => Promise<void> | undefined): Collection<T> {
  const after =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      const waiting = gate();
      return waiting ? waiting.then(() => work(...args)) : work(...args);
    };
  return {
    insert: after((record) => inner.insert(record)),
    get: after((key) => inner.get(key)),
    replace: after((record, ifRevision) => inner.replace(record, ifRevision)),
    remove: after((key) => inner.remove(key)),
    take: after((key) => inner.take(key)),
    list: after((query) => inner.list(query)),
    ids: after((query) => inner.ids(query)),
  };
}
