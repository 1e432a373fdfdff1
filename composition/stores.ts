import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContainerModuleLoadOptions } from 'inversify';
import type { Settings } from '../adapters/config/settings.ts';
import { loadMasterKeys } from '../adapters/crypto/master-key.ts';
import { AesSecrets } from '../adapters/crypto/sealing.ts';
import { GuardedStore } from '../adapters/decorators/migration/guarded-store.ts';
import { SealedStore } from '../adapters/decorators/sealing/sealed-store.ts';
import { jsonLog } from '../adapters/log/json-log.ts';
import { MemoryStore } from '../adapters/memory/memory-store.ts';
import { RedisCopy } from '../adapters/redis/redis-copy.ts';
import { RedisStore } from '../adapters/redis/redis-store.ts';
import { SqliteCopy } from '../adapters/sqlite/sqlite-copy.ts';
import { SqliteStore } from '../adapters/sqlite/sqlite-store.ts';
import { systemClock, systemRandom } from '../adapters/system/system.ts';
import type { Pause } from '../domain/migration/retries.ts';
import type { Store } from '../ports/store.ts';
import type { RawStore } from '../ports/store-copy.ts';
import { checkRedis, checkSqlite, found, nodesOf, type StoreFinding } from './store-checks.ts';
import { type System, SystemT } from './system.ts';
import { provide, token } from './wire.ts';

/** The store the operator chose, sealed, with what is done once before it is used. */
export interface OpenedStore {
  store: Store;
  /** Ends the migration into this store. @throws Error when its last run is unfinished */
  claim(): Promise<void>;
  /** @throws Error when the ring lacks a master key of what is stored */
  checkKey(): Promise<void>;
}

export const StoreT = token<OpenedStore>('store');

/** What every database needs of the process. */
type StoreDependencies = Pick<System, 'clock' | 'log'>;

type DatabaseSettings = Pick<Settings, 'dataDir' | 'store'>;

/** One type of database: how it is opened, its name and place in words, and how `credenza check` tries it. */
interface Database {
  open(settings: DatabaseSettings, dependencies: StoreDependencies): Store;
  describe(settings: DatabaseSettings): string;
  check(settings: DatabaseSettings): Promise<StoreFinding>;
  /** Opens it record by record, beside the servers; absent when only its own process can reach it. */
  copy?(settings: DatabaseSettings, pause: Pause): RawStore;
}

const sqliteFile = ({ dataDir }: DatabaseSettings): string => join(dataDir, 'credenza.sqlite');

const redis = (name: string, cluster: boolean): Database => ({
  open: ({ store }, dependencies) => new RedisStore({ ...store, cluster }, dependencies),
  describe: ({ store }) => `${name} at ${nodesOf(store)}`,
  check: ({ store }) => checkRedis({ ...store, cluster }),
  copy: ({ store }, pause) =>
    new RedisCopy({ ...store, cluster }, { clock: systemClock, log: jsonLog('silent'), pause }),
});

/** The databases of this build by the types of store.conf; another one is another row. */
export const STORES: Record<Settings['store']['type'], Database> = {
  sqlite: {
    open: (settings, { clock }) => new SqliteStore(sqliteFile(settings), clock),
    describe: ({ dataDir }) => `SQLite in ${dataDir}`,
    check: (settings) => checkSqlite(sqliteFile(settings)),
    copy: (settings, pause) => new SqliteCopy(sqliteFile(settings), { fileMustExist: true, pause }),
  },
  kvstore: redis('Redis', false),
  'kvstore-cluster': redis('Redis Cluster', true),
  memory: {
    open: (_settings, { clock }) => new MemoryStore(clock),
    describe: () => 'memory, gone when the process ends',
    check: async () => found('needs no connection'),
  },
};

/** The ring of master keys of an installation. */
export const secretsOf = async ({
  dataDir,
  masterKeys,
}: Pick<Settings, 'dataDir' | 'masterKeys'>): Promise<AesSecrets> =>
  new AesSecrets(await loadMasterKeys(dataDir, masterKeys), systemRandom);

/** Binds the store the operator chose, sealed under the ring of master keys; `wrap` is applied below the sealing. */
export async function storeModule(
  settings: Settings,
  wrap?: (store: Store) => Store,
): Promise<(options: ContainerModuleLoadOptions) => void> {
  const open = await openStore(settings, wrap);
  return (o) => provide(o, StoreT, (system) => open(system), SystemT);
}

/** Reads the master keys and returns the function that opens the store. */
export async function openStore(
  settings: Settings,
  wrap: (store: Store) => Store = (store) => store,
): Promise<(system: StoreDependencies) => OpenedStore> {
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const secrets = await secretsOf(settings);
  return ({ clock, log }) => {
    const database = wrap(STORES[settings.store.type].open(settings, { clock, log }));
    const verify = () => new SealedStore(database, secrets, clock).checkKey();
    const guarded = new GuardedStore(database, { log, verify });
    const store = new SealedStore(guarded, secrets, clock);
    return { store, claim: () => guarded.claim(), checkKey: () => store.checkKey() };
  };
}
