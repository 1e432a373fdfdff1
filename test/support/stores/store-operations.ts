import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import { notes } from '../runs/notes.ts';

/** What this process did in the stores of its servers, as `collection operation`. */
const done = notes('operations');
/** The same by kind of collection: those of a kind share their scripts. */
const scripts = notes('scripts');

/** A store whose operations are noted. */
export const noting = (store: Store): Store => ({
  collection: (spec) => notingCollection(store.collection(spec), spec),
  ping: () => store.ping(),
  checkWritable: () => store.checkWritable(),
  close: () => store.close(),
});

function notingCollection<T>(inner: Collection<T>, { name: collection, listed }: CollectionSpec<T>): Collection<T> {
  return new Proxy(inner, {
    get: (target, name: keyof Collection<T>) => {
      done.add(`${collection} ${name}`);
      scripts.add(`${listed ? 'listed' : 'single'} ${name}`);
      return (target[name] as (...args: unknown[]) => unknown).bind(target);
    },
  });
}
