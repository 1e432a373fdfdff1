import { join } from 'node:path';
import { openSqlite } from '../../../adapters/sqlite/driver.ts';
import { tableOf } from '../../../adapters/sqlite/tables.ts';
import { SqliteBulk } from '../../../bench/support/sqlite-bulk.ts';
import { openStore } from '../../../composition/platform/stores.ts';
import { createSystem } from '../../../composition/platform/system.ts';
import type { CollectionSpec, Store } from '../../../ports/store.ts';
import type { TestServer } from '../servers/server.ts';
import { silentLog } from '../servers/silent-log.ts';

/** The records of one collection and parent. */
export interface Seed {
  collection: string;
  /** Where the server has not used the collection before. */
  spec?: CollectionSpec<unknown>;
  /** That of the last record of the collection when absent. */
  parent?: string;
  ids: readonly string[];
  /** What each record is; a copy of the last record of the collection when absent. */
  value?: unknown;
  /** How many records are between the ids that begin with `a` and those with `z`; no call reads what is in them. */
  between?: number;
}

interface Row {
  parent: string;
  id: string;
}

/** Writes records into the SQLite store of a server, beside those that it wrote. */
export class ManyRecords {
  readonly #specs = new Map<string, CollectionSpec<unknown>>();
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'credenza.sqlite');
  }

  /** The store of the server; notes what its collections are. */
  wrap(store: Store): Store {
    return {
      collection: (spec) => {
        this.#specs.set(spec.name, { ...spec, type: undefined, hidden: undefined });
        return store.collection(spec);
      },
      ping: () => store.ping(),
      checkWritable: () => store.checkWritable(),
      close: () => store.close(),
    };
  }

  /** Writes the seeds, and what `more` inserts, with one transaction for each collection. */
  async fill(
    { settings }: TestServer,
    seeds: readonly Seed[],
    more: (store: Pick<Store, 'collection'>) => Promise<void>,
  ): Promise<void> {
    const bulk = new SqliteBulk(this.#file);
    const open = await openStore(settings, (inner) => bulk.over(inner));
    const { store } = open(createSystem(settings, { log: silentLog }));
    const places = new Map<Seed, string>();
    for (const seed of seeds) {
      const collection = store.collection(seed.spec ?? this.#specOf(seed.collection));
      const last = seed.value === undefined || seed.parent === undefined ? this.#last(seed.collection) : undefined;
      const { parent = last?.parent ?? '', value = last && (await collection.get(last))?.value } = seed;
      if (value === undefined) throw new Error(`${seed.collection} has no record to copy`);
      for (const id of seed.ids) await collection.insert({ parent, id, value });
      places.set(seed, parent);
    }
    await more(store);
    bulk.end();
    for (const [seed, parent] of places) if (seed.between) this.#fillBetween(seed.collection, parent, seed.between);
    await store.close();
  }

  #specOf(name: string): CollectionSpec<unknown> {
    const spec = this.#specs.get(name);
    if (!spec) throw new Error(`The server has no collection ${name}`);
    return spec;
  }

  #last(collection: string): Row {
    const database = openSqlite(this.#file, { readonly: true });
    const row = database.prepare(`SELECT parent, id FROM ${tableOf(collection)} ORDER BY rowid DESC`).get();
    database.close();
    if (!row) throw new Error(`${collection} has no record`);
    return row as Row;
  }

  #fillBetween(name: string, parent: string, count: number): void {
    const database = openSqlite(this.#file, { timeout: 5000 });
    database.pragma('synchronous = OFF');
    database
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < @count - 1)
         INSERT INTO ${tableOf(name)} (parent, id, body, revision, created, updated, expires)
         SELECT @parent, 'm-' || i, '{}', 1, i, i, NULL FROM n`,
      )
      .run({ parent, count });
    database.close();
  }
}
