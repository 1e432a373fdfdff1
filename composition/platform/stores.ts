import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ContainerModuleLoadOptions } from 'inversify';
import type { Settings } from '../../adapters/config/settings.ts';
import { keyFileIn, loadMasterKeys } from '../../adapters/crypto/master-key.ts';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { MeasuredStore } from '../../adapters/decorators/measuring/measured-store.ts';
import { GuardedStore } from '../../adapters/decorators/migration/guarded-store.ts';
import { SealedStore } from '../../adapters/decorators/sealing/sealed-store.ts';
import { silentLog } from '../../adapters/log/silent-log.ts';
import { MemoryStore } from '../../adapters/memory/memory-store.ts';
import { PostgresCopy } from '../../adapters/postgres/postgres-copy.ts';
import { momentOf } from '../../adapters/postgres/postgres-moment.ts';
import { PostgresStore } from '../../adapters/postgres/postgres-store.ts';
import { RedisCopy } from '../../adapters/redis/redis-copy.ts';
import { RedisStore } from '../../adapters/redis/redis-store.ts';
import { snapshotOf } from '../../adapters/sqlite/snapshot.ts';
import { SqliteCopy } from '../../adapters/sqlite/sqlite-copy.ts';
import { isEmptyFile, SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import { systemClock, systemRandom } from '../../adapters/system/system.ts';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { DataTaker } from '../../domain/migration/data-version.ts';
import { refuseOldForms } from '../../domain/migration/old-forms.ts';
import type { Pause } from '../../domain/migration/retries.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { Store } from '../../ports/store.ts';
import type { RawRecord, RawStore } from '../../ports/store-copy.ts';
import { VERSION } from '../root.ts';
import {
  checkPostgres,
  checkRedis,
  checkSqlite,
  type Examination,
  found,
  nodesOf,
  type StoreFinding,
} from './store-checks.ts';
import { type System, SystemT } from './system.ts';
import { provide, token } from './wire.ts';

/** The store the operator chose, sealed, with what is done once before it is used. */
interface OpenedStore {
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
  check(settings: DatabaseSettings, examine: Examination): Promise<StoreFinding>;
  /** @throws Error when the database has lost the data that its master key was made for */
  refuseEmptied?(settings: DatabaseSettings): void;
  /** Opens it record by record, beside the servers; absent when only its own process can reach it. */
  copy?(settings: DatabaseSettings, pause: Pause): RawStore;
  /** Writes what it holds at one moment into a new SQLite file, while servers use it; absent where no moment can be read. */
  snapshot?(settings: DatabaseSettings, file: string): Promise<void>;
}

/** The SQLite file in a data directory. */
export const sqliteFile = ({ dataDir }: Pick<DatabaseSettings, 'dataDir'>): string => join(dataDir, 'credenza.sqlite');

const redis = (name: string, cluster: boolean): Database => ({
  open: ({ store }, dependencies) => new RedisStore({ ...store, cluster }, dependencies),
  describe: ({ store }) => `${name} at ${nodesOf(store)}`,
  check: ({ store }, examine) => checkRedis({ ...store, cluster }, examine),
  copy: ({ store }, pause) => new RedisCopy({ ...store, cluster }, { clock: systemClock, log: silentLog, pause }),
});

/** Records that are read at a time. */
const SNAPSHOT_PAGE = 500;

async function writeAll(pages: AsyncIterable<RawRecord[]>, file: string): Promise<void> {
  const copy = new SqliteCopy(file, { fileMustExist: false, pause: (ms) => setTimeout(ms) });
  try {
    for await (const records of pages) await copy.put(records);
  } finally {
    await copy.close();
  }
}

/** The databases of this build by the types of store.conf; another one is another row. */
export const STORES: Record<Settings['store']['type'], Database> = {
  sqlite: {
    open: (settings, { clock }) => new SqliteStore(sqliteFile(settings), clock),
    describe: ({ dataDir }) => `SQLite in ${dataDir}`,
    check: (settings, examine) => checkSqlite(sqliteFile(settings), examine),
    refuseEmptied: (settings) => refuseEmptyFile(sqliteFile(settings), keyFileIn(settings.dataDir)),
    copy: (settings, pause) => new SqliteCopy(sqliteFile(settings), { fileMustExist: true, pause }),
    snapshot: async (settings, file) => snapshotOf(sqliteFile(settings), file),
  },
  kvstore: redis('Redis', false),
  'kvstore-cluster': redis('Redis Cluster', true),
  postgresql: {
    open: ({ store }, dependencies) => new PostgresStore(store, dependencies),
    describe: ({ store }) => `PostgreSQL at ${nodesOf(store)}`,
    check: ({ store }, examine) => checkPostgres(store, examine),
    copy: ({ store }, pause) => new PostgresCopy(store, { log: silentLog, pause }),
    snapshot: ({ store }, file) => writeAll(momentOf(store, SNAPSHOT_PAGE), file),
  },
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

/** The program that takes a store of these settings; without `secrets` it cannot look into what is sealed. */
export const takerOf = (settings: DatabaseSettings, secrets?: Secrets): DataTaker => ({
  program: VERSION,
  refuseOldForms: async (reader) => {
    const store = STORES[settings.store.type].copy?.(settings, (ms) => setTimeout(ms));
    if (!store) return;
    await refuseOldForms({ store, secrets, reader, now: systemClock.now() }).finally(() => store.close());
  },
});

/** Binds the store the operator chose, measured and sealed under the ring of master keys; `wrap` is applied to the database. */
export async function storeModule(
  settings: Settings,
  wrap: (store: Store) => Store = (store) => store,
): Promise<(options: ContainerModuleLoadOptions) => void> {
  const open = await openStore(settings, (database, system: System) => new MeasuredStore(wrap(database), system));
  return (o) => provide(o, StoreT, (system) => open(system), SystemT);
}

/** Reads the master keys and returns the function that opens the store; `wrap` is applied below the sealing. */
export async function openStore<S extends StoreDependencies>(
  settings: Settings,
  wrap: (store: Store, system: S) => Store = (store) => store,
): Promise<(system: S) => OpenedStore> {
  const { refuseEmptied, describe, open } = STORES[settings.store.type];
  await makeFolder(settings.dataDir);
  refuseEmptied?.(settings);
  const secrets = await secretsOf(settings);
  return (system) => {
    const { clock, log } = system;
    const database = wrap(open(settings, { clock, log }), system);
    const verify = () => new SealedStore(database, secrets, clock).checkKey();
    const guarded = new GuardedStore(database, { ...takerOf(settings, secrets), clock, log, verify });
    const store = new SealedStore(guarded, secrets, clock);
    const naming = (work: Promise<void>): Promise<void> =>
      work.catch((error) => {
        throw named(describe(settings), error);
      });
    return { store, claim: () => naming(guarded.claim()), checkKey: () => naming(store.checkKey()) };
  };
}

/** A refusal of a store with the name and place of the store; every other error as it is. */
export const named = (store: string, error: unknown): unknown =>
  error instanceof Error && !(error instanceof DomainError)
    ? new Error(`${store}: ${error.message}`, { cause: error })
    : error;

async function makeFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((cause: Error) => {
    throw new Error(`The data folder ${dataDir} cannot be used: ${cause.message}`, { cause });
  });
}

/** A first start writes the file before anything else can read it, so an empty one beside a key was emptied. */
function refuseEmptyFile(file: string, keyFile: string): void {
  if (!existsSync(keyFile) || !isEmptyFile(file)) return;
  throw new Error(
    `The SQLite file ${file} is empty, and the key in ${keyFile} was made for data: put the file back from a ` +
      'backup (docs/backup.md). Only if there never was any data, delete the empty file',
  );
}
