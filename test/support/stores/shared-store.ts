import { AesSecrets } from '../../../adapters/crypto/sealing.ts';
import { SealedStore } from '../../../adapters/decorators/sealing/sealed-store.ts';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { RedisStore, type RedisStoreSettings } from '../../../adapters/redis/redis-store.ts';
import { SqliteStore } from '../../../adapters/sqlite/sqlite-store.ts';
import { systemClock, systemRandom } from '../../../adapters/system/system.ts';
import type { CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { silentLog } from '../servers/silent-log.ts';

/** The location of a store, for other processes; in memory without `file` and `redis`. */
export interface SharedStore {
  file?: string;
  redis?: RedisStoreSettings;
  /** Hexadecimal; seals every collection. */
  masterKey?: string;
}

/** A store in Redis for a test, without a log. */
export const redisStore = (settings: RedisStoreSettings, clock: Clock): RedisStore =>
  new RedisStore(settings, { clock, log: silentLog });

export function openShared({ file, redis, masterKey }: SharedStore, clock: Clock): Store {
  const store = file ? new SqliteStore(file, clock) : redis ? redisStore(redis, clock) : new MemoryStore(clock);
  return masterKey === undefined ? store : sealing(store, masterKey);
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
