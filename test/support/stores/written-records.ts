import type { Settings } from '../../../adapters/config/settings.ts';
import { openStore } from '../../../composition/platform/stores.ts';
import type { Collection, CollectionSpec, RecordKey, Store } from '../../../ports/store.ts';
import { silentLog } from '../servers/silent-log.ts';

/** The records that a server wrote, which can be read with its master keys. */
export class WrittenRecords {
  /** The database, which no other connection reaches when it is in memory. */
  #database!: Store;
  readonly #written = new Map<string, { spec: CollectionSpec<unknown>; key: RecordKey }>();
  /** The names of all collections that were opened. */
  readonly collections = new Set<string>();

  /** A store whose writes are noted; it is below the sealing. */
  wrap(store: Store): Store {
    this.#database = store;
    const collection = <T>(spec: CollectionSpec<T>): Collection<T> => {
      this.collections.add(spec.name);
      const inner = store.collection(spec);
      return new Proxy(inner, {
        get: (target, name: keyof Collection<T>) => {
          const method = (target[name] as (...args: unknown[]) => unknown).bind(target);
          if (name !== 'insert' && name !== 'replace') return method;
          return (record: RecordKey, ...more: unknown[]) => {
            const key = { parent: record.parent, id: record.id };
            // The keys that arrive here are those that are stored.
            const known = { ...spec, hidden: undefined } as CollectionSpec<unknown>;
            this.#written.set(JSON.stringify([spec.name, key]), { spec: known, key });
            return method(record, ...more);
          };
        },
      });
    };
    return { ...bound(store), collection };
  }

  /** What is in each record that is still there, as the server reads it. */
  async opened(settings: Settings, now: () => number): Promise<string[]> {
    const isInMemory = settings.store.type === 'memory';
    const open = await openStore(settings, isInMemory ? () => this.#database : undefined);
    const { store } = open({ clock: { now }, log: silentLog });
    const texts = [];
    for (const { spec, key } of this.#written.values()) {
      const record = await store.collection(spec).get(key);
      if (record) texts.push(`${spec.name} ${JSON.stringify(record)}`);
    }
    if (!isInMemory) await store.close();
    return texts;
  }
}

const bound = (store: Store): Omit<Store, 'collection'> => ({
  ping: () => store.ping(),
  checkWritable: () => store.checkWritable(),
  close: () => store.close(),
});
