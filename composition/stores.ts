import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContainerModuleLoadOptions } from 'inversify';
import type { Settings } from '../adapters/config/settings.ts';
import { loadMasterKey } from '../adapters/crypto/master-key.ts';
import { AesSecrets } from '../adapters/crypto/sealing.ts';
import { GuardedStore } from '../adapters/decorators/migration/guarded-store.ts';
import { SealedStore } from '../adapters/decorators/sealing/sealed-store.ts';
import { MemoryStore } from '../adapters/memory/memory-store.ts';
import { RedisStore } from '../adapters/redis/redis-store.ts';
import { SqliteStore } from '../adapters/sqlite/sqlite-store.ts';
import { systemRandom } from '../adapters/system/system.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/system.ts';
import { ClockT, LogT, StoreT } from './tokens.ts';
import { provide, token } from './wire.ts';

/** The store as its sealing wrapper, which can also check the master key. */
export const SealedStoreT = token<SealedStore>('sealed-store');

/** The store as what keeps it from being used while it is half copied. */
export const GuardedStoreT = token<GuardedStore>('guarded-store');

/** What every database needs of its surroundings. */
interface Surroundings {
  clock: Clock;
  log: Log;
}

type OpenStore = (settings: Pick<Settings, 'dataDir' | 'store'>, surroundings: Surroundings) => Store;

const redis =
  (cluster: boolean): OpenStore =>
  ({ store }, surroundings) =>
    new RedisStore({ ...store, cluster }, surroundings);

/** The databases this build can use. One row is all it takes to know another. */
const STORES: Record<Settings['store']['type'], OpenStore> = {
  sqlite: ({ dataDir }, { clock }) => new SqliteStore(join(dataDir, 'credenza.sqlite'), clock),
  kvstore: redis(false),
  'kvstore-cluster': redis(true),
  memory: (_settings, { clock }) => new MemoryStore(clock),
};

/** The store the operator chose, sealed under the master key; `wrap` stands between the two. */
export async function storeModule(
  settings: Settings,
  wrap: (store: Store) => Store = (store) => store,
): Promise<(options: ContainerModuleLoadOptions) => void> {
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const secrets = new AesSecrets(await loadMasterKey(settings.dataDir, settings.masterKey), systemRandom);
  const open = STORES[settings.store.type];
  return (o) => {
    const guarded = (clock: Clock, log: Log): GuardedStore => {
      const store = wrap(open(settings, { clock, log }));
      return new GuardedStore(store, { log, verify: () => new SealedStore(store, secrets, clock).checkKey() });
    };
    provide(o, GuardedStoreT, guarded, ClockT, LogT);
    provide(o, SealedStoreT, (store, clock) => new SealedStore(store, secrets, clock), GuardedStoreT, ClockT);
    provide(o, StoreT, (store) => store, SealedStoreT);
  };
}
