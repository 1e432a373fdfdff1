import { renderRotation } from '../adapters/cli/rotation.ts';
import type { Settings } from '../adapters/config/settings.ts';
import { thumbprint } from '../domain/jose/jwk.ts';
import type { Terminal } from './migrate.ts';
import { createPlatform } from './platform.ts';
import { openStore, STORES } from './stores.ts';
import { createSystem } from './system.ts';

/** Makes a new login key current in the store of these settings. @throws Error that names the store */
export async function rotateLogin(
  settings: Settings,
  { out, colors }: Omit<Terminal, 'environment' | 'err'>,
): Promise<number> {
  const database = STORES[settings.store.type];
  if (!database.copy)
    throw new Error(`The store is ${database.describe(settings)}: only its own process can change it`);
  const system = createSystem(settings, {});
  const { store, claim, checkKey } = (await openStore(settings))(system);
  const { serverKeys, keys, outbound } = createPlatform({ settings, system, store });
  try {
    await claim();
    await checkKey();
    const { next, until } = await serverKeys.rotate('login', settings.auth.tokenLifetimeSeconds * 1000);
    out(renderRotation({ kid: thumbprint(next), until }, colors));
    return 0;
  } finally {
    await keys.close();
    await outbound.close();
    await store.close();
  }
}
