import { recordKeyOf } from '../../../domain/tenancy/access/targets.ts';
import type { Collection, Store } from '../../../ports/store.ts';

/** Copies of records in the store of a server, so that a test has many without a request for each. */
export class CopiedRecords {
  readonly #collections = new Map<string, Collection<unknown>>();

  /** An option of the server. */
  readonly wrapStore = (store: Store): Store => ({
    collection: (spec) => {
      const collection = store.collection(spec);
      this.#collections.set(spec.name, collection);
      return collection;
    },
    ping: () => store.ping(),
    checkWritable: () => store.checkWritable(),
    close: () => store.close(),
  });

  /** Adds what is at a target under other names beside it, in their order. */
  async add(name: string, target: string, names: readonly string[]): Promise<void> {
    const { parent, id } = recordKeyOf(target);
    const collection = this.#collections.get(name);
    const copied = await collection?.get({ parent, id });
    if (!collection || !copied) throw new Error(`There is nothing at ${target}`);
    for (const name of names) await collection.insert({ parent, id: name, value: copied.value });
  }
}
