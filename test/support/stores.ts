import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { MemoryStore } from '../../adapters/memory/memory-store.ts';
import { RedisStore, type RedisStoreSettings } from '../../adapters/redis/redis-store.ts';
import { SealedStore } from '../../adapters/sealing/sealed-store.ts';
import { SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import { systemClock, systemRandom } from '../../adapters/system/system.ts';
import type { Log } from '../../ports/log.ts';
import type { CollectionSpec, Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import type { StoreUnderTest } from '../contract/collection.contract.ts';
import { addressesOf, sharedCluster, sharedNode } from './redis.ts';

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The settings of a store on these nodes that no other test sees. */
export const redisSettings = (cluster: boolean, nodes: RedisStoreSettings['nodes']): RedisStoreSettings => ({
  cluster,
  nodes: addressesOf(nodes),
  user: '',
  password: '',
  tls: false,
  keyPrefix: `test-${randomUUID()}:`,
});

/** A store in Redis for a test, which says nothing. */
export const redisStore = (settings: RedisStoreSettings, clock: Clock): RedisStore =>
  new RedisStore(settings, { clock, log: silent });

/** The same store with every collection sealed. */
const sealing = (store: Store): Store => {
  const sealed = new SealedStore(store, new AesSecrets(randomBytes(32), systemRandom), systemClock);
  return {
    collection: <T>(spec: CollectionSpec<T>) => sealed.collection<T>({ ...spec, sealed: true }),
    ping: () => sealed.ping(),
    checkWritable: () => sealed.checkWritable(),
    close: () => sealed.close(),
  };
};

const onNode = async (clock: Clock): Promise<Store> => redisStore(redisSettings(false, [await sharedNode()]), clock);

/** Every kind of store there is, each new and empty. */
const STORES: Record<string, (clock: Clock, folder: string) => Store | Promise<Store>> = {
  memory: (clock) => new MemoryStore(clock),
  SQLite: (clock, folder) => new SqliteStore(join(folder, 'test.sqlite'), clock),
  Redis: onNode,
  'Redis Cluster': async (clock) => redisStore(redisSettings(true, (await sharedCluster()).nodes), clock),
  'sealed SQLite': (clock, folder) => sealing(new SqliteStore(join(folder, 'test.sqlite'), clock)),
  'sealed Redis': async (clock) => sealing(await onNode(clock)),
};

/** The names `openStore` takes; the first four are the databases. */
export const STORE_NAMES = Object.keys(STORES);

export async function openStore(name: string): Promise<StoreUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'credenza-store-'));
  const clock = { time: 0, now: () => clock.time };
  const store = await STORES[name]?.(clock, folder);
  if (!store) throw new Error(`There is no store ${name}`);
  return { store, clock, close: () => store.close().then(() => rm(folder, { recursive: true })) };
}
