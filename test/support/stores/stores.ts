import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresStoreSettings } from '../../../adapters/postgres/address.ts';
import { PostgresCopy } from '../../../adapters/postgres/postgres-copy.ts';
import { RedisCopy } from '../../../adapters/redis/redis-copy.ts';
import type { RedisStoreSettings } from '../../../adapters/redis/redis-store.ts';
import { SqliteCopy } from '../../../adapters/sqlite/sqlite-copy.ts';
import { systemClock } from '../../../adapters/system/system.ts';
import type { RawStore } from '../../../ports/store-copy.ts';
import type { StoreUnderTest } from '../../contract/collection.contract.ts';
import { silentLog } from '../servers/silent-log.ts';
import { LOGIN, sharedPostgres } from './postgres.ts';
import { addressesOf, sharedCluster, sharedNode } from './redis.ts';
import { openShared, redisStore, type SharedStore } from './shared-store.ts';

export { redisStore };

/** The settings of a store on these nodes with its own key prefix. */
export const redisSettings = (cluster: boolean, nodes: RedisStoreSettings['nodes']): RedisStoreSettings => ({
  cluster,
  nodes: addressesOf(nodes),
  user: '',
  password: '',
  tls: false,
  keyPrefix: `test-${randomUUID()}:`,
});

/** The settings of a store on these servers in a schema of its own. */
export const postgresSettings = (nodes: PostgresStoreSettings['nodes']): PostgresStoreSettings => ({
  ...LOGIN,
  nodes: addressesOf(nodes),
  schema: `test_${randomUUID()}`,
  tls: false,
  connections: 10,
});

const fileIn = (folder: string): string => join(folder, 'test.sqlite');
const onNode = async (): Promise<RedisStoreSettings> => redisSettings(false, [await sharedNode()]);
const newKey = (): string => randomBytes(32).toString('hex');

/** Every kind of store, each new and empty. */
const STORES: Record<string, (folder: string) => SharedStore | Promise<SharedStore>> = {
  memory: () => ({}),
  SQLite: (folder) => ({ file: fileIn(folder) }),
  Redis: async () => ({ redis: await onNode() }),
  'Redis Cluster': async () => ({ redis: redisSettings(true, (await sharedCluster()).nodes) }),
  PostgreSQL: async () => ({ postgres: postgresSettings([await sharedPostgres()]) }),
  'sealed SQLite': (folder) => ({ file: fileIn(folder), masterKey: newKey() }),
  'sealed Redis': async () => ({ redis: await onNode(), masterKey: newKey() }),
};

/** The names `openStore` takes; the first five are the databases. */
export const STORE_NAMES = Object.keys(STORES);

export async function openStore(name: string): Promise<StoreUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'credenza-store-'));
  const clock = { time: 0, now: () => clock.time };
  const shared = await STORES[name]?.(folder);
  if (!shared) throw new Error(`There is no store ${name}`);
  const store = openShared(shared, clock);
  return { store, clock, shared, close: () => store.close().then(() => rm(folder, { recursive: true })) };
}

/** The same store, record by record. @throws Error for one in memory */
export function rawOf({ shared: { file, redis, postgres } }: Pick<StoreUnderTest, 'shared'>): RawStore {
  const pause = async (): Promise<void> => undefined;
  if (file) return new SqliteCopy(file, { fileMustExist: true, pause });
  if (redis) return new RedisCopy(redis, { clock: systemClock, log: silentLog, pause });
  if (postgres) return new PostgresCopy(postgres, { log: silentLog, pause });
  throw new Error('Not in memory');
}
