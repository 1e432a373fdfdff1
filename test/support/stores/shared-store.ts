import { AesSecrets } from '../../../adapters/crypto/sealing.ts';
import { SealedStore } from '../../../adapters/decorators/sealing/sealed-store.ts';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import type { PostgresStoreSettings } from '../../../adapters/postgres/address.ts';
import { PostgresStore } from '../../../adapters/postgres/postgres-store.ts';
import { RedisStore, type RedisStoreSettings } from '../../../adapters/redis/redis-store.ts';
import { SqliteStore } from '../../../adapters/sqlite/sqlite-store.ts';
import { systemClock, systemRandom } from '../../../adapters/system/system.ts';
import type { CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { silentLog } from '../servers/silent-log.ts';

/** The location of a store, for other processes; in memory without `file`, `redis` and `postgres`. */
export interface SharedStore {
  file?: string;
  redis?: RedisStoreSettings;
  postgres?: PostgresStoreSettings;
  /** Hexadecimal; seals every collection. */
  masterKey?: string;
}

/** A store in Redis for a test, without a log. */
export const redisStore = (settings: RedisStoreSettings, clock: Clock): RedisStore =>
  new RedisStore(settings, { clock, log: silentLog });

export function openShared({ masterKey, ...shared }: SharedStore, clock: Clock): Store {
  const store = openDatabase(shared, clock);
  return masterKey === undefined ? store : sealing(store, masterKey);
}

function openDatabase({ file, redis, postgres }: SharedStore, clock: Clock): Store {
  if (file) return new SqliteStore(file, clock);
  if (redis) return redisStore(redis, clock);
  return postgres ? new PostgresStore(postgres, { clock, log: silentLog }) : new MemoryStore(clock);
}

/** The same store with every collection sealed. */
function sealing(store: Store, masterKey: string): Store {
  const sealed = new SealedStore(store, new AesSecrets([Buffer.from(masterKey, 'hex')], systemRandom), systemClock);
  return {
    collection: <T>(spec: CollectionSpec<T>) => sealed.collection<T>({ ...spec, sealed: true }),
    ping: () => sealed.ping(),
    checkWritable: () => sealed.checkWritable(),
    close: () => sealed.close(),
  };
}
