import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContainerModuleLoadOptions } from 'inversify';
import type { Settings } from '../adapters/config/settings.ts';
import { AesSecrets, loadMasterKey } from '../adapters/crypto/sealing.ts';
import { MemoryStore } from '../adapters/memory/memory-store.ts';
import { SealedStore } from '../adapters/sealing/sealed-store.ts';
import { SqliteStore } from '../adapters/sqlite/sqlite-store.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/system.ts';
import { ClockT, StoreT } from './tokens.ts';
import { provide, token } from './wire.ts';

/** The store as its sealing wrapper, which can also check the master key. */
export const SealedStoreT = token<SealedStore>('sealed-store');

/** The databases this build can use. One row is all it takes to know another. */
const STORES: Record<Settings['store']['type'], (settings: Settings, clock: Clock) => Store> = {
  sqlite: ({ dataDir }, clock) => new SqliteStore(join(dataDir, 'credenza.sqlite'), clock),
  memory: (_settings, clock) => new MemoryStore(clock),
};

/** The store the operator chose, sealed under the master key; `wrap` stands between the two. */
export async function storeModule(
  settings: Settings,
  wrap: (store: Store) => Store = (store) => store,
): Promise<(options: ContainerModuleLoadOptions) => void> {
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const secrets = new AesSecrets(await loadMasterKey(settings.dataDir, settings.masterKey));
  const open = STORES[settings.store.type];
  return (o) => {
    provide(o, SealedStoreT, (clock) => new SealedStore(wrap(open(settings, clock)), secrets), ClockT);
    provide(o, StoreT, (store) => store, SealedStoreT);
  };
}
