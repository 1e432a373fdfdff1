import { isObject } from '../../../domain/foundation/json.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';

/** The members of the values of a collection by path, each with the JSON types that it had. */
export type Members = Record<string, string>;

/**
 * Members whose content is a document, a configuration or a query of others, which is stored as it is, or has the names of
 * others: what stands in them is no form of ours.
 */
const OPAQUE = new Set([
  ...['_publicKey', 'jwk', 'publicJwk', 'responseKey', 'config', 'header'],
  ...['document', 'metadata', 'json', 'display', 'credentialData', 'mapping', 'claims', 'data', 'parameters'],
  ...['definition', 'dcqlQuery', 'clientMetadata', 'meta', 'setup', 'core_flow', 'args', 'policy', 'specific'],
  ...['results', 'credentials', 'vpToken', 'profiles', 'supportedCredentialTypes', 'policyResults', 'tokenResponse'],
]);

/** Notes in what forms a server stores values. */
export class FormNotes {
  readonly #types = new Map<string, Map<string, Set<string>>>();

  /** A store whose written values are looked at; it is below the sealing. */
  wrap(store: Store): Store {
    return {
      collection: (spec) => this.#noting(spec, store.collection(spec)),
      ping: () => store.ping(),
      checkWritable: () => store.checkWritable(),
      close: () => store.close(),
    };
  }

  /** By the names of collections and paths, in their order. */
  forms(): Record<string, Members> {
    return sorted(this.#types, (paths) => sorted(paths, (types) => [...types].toSorted().join(' ')));
  }

  #noting<T>({ name }: CollectionSpec<T>, inner: Collection<T>): Collection<T> {
    return {
      insert: (record) => {
        this.#note(name, '', record.value);
        return inner.insert(record);
      },
      replace: (record, ifRevision) => {
        this.#note(name, '', record.value);
        return inner.replace(record, ifRevision);
      },
      get: (key) => inner.get(key),
      take: (key) => inner.take(key),
      remove: (key) => inner.remove(key),
      list: (query) => inner.list(query),
      ids: (query) => inner.ids(query),
    };
  }

  #note(collection: string, path: string, value: unknown): void {
    if (value === undefined) return;
    const paths = this.#types.get(collection) ?? new Map<string, Set<string>>();
    this.#types.set(collection, paths);
    if (Array.isArray(value)) for (const one of value) this.#note(collection, `${path}[]`, one);
    else if (isObject(value) && !isOpaque(path))
      for (const [name, one] of Object.entries(value)) this.#note(collection, path ? `${path}.${name}` : name, one);
    else paths.set(path, (paths.get(path) ?? new Set()).add(value === null ? 'null' : typeof value));
  }
}

const isOpaque = (path: string): boolean => OPAQUE.has((path.split('.').at(-1) ?? '').replaceAll('[]', ''));

const sorted = <T, U>(map: Map<string, T>, of: (value: T) => U): Record<string, U> =>
  Object.fromEntries([...map].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [key, of(value)]));
