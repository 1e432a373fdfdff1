import { renderRotation } from '../../adapters/cli/rotation.ts';
import type { Settings } from '../../adapters/config/settings.ts';
import { thumbprint } from '../../domain/jose/jwk.ts';
import type { RotatedKeyName } from '../../domain/keys/server-keys.ts';
import { createPlatform } from '../platform/platform.ts';
import { openStore, STORES } from '../platform/stores.ts';
import { createSystem } from '../platform/system.ts';
import type { Terminal } from './migrate.ts';

/** How long wallets may use metadata that they read before, in milliseconds. */
const DAY_MS = 86_400_000;

/** How long what a key signed, or was read of it, is good. */
const lifetimeOf = (name: RotatedKeyName, { auth, signIn }: Settings): number =>
  ({
    login: auth.tokenLifetimeSeconds * 1000,
    encryption: DAY_MS,
    'sign-in': signIn.lifetimes.idToken * 1000,
    'sign-in-rsa': signIn.lifetimes.idToken * 1000,
  })[name];

/** Makes new keys of the server current in the store of these settings. @throws Error that names the store */
export async function rotateKeys(
  settings: Settings,
  names: readonly RotatedKeyName[],
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
    for (const name of names) {
      const { next, until } = await serverKeys.rotate(name, lifetimeOf(name, settings));
      out(renderRotation({ name, kid: thumbprint(next), until }, colors));
    }
    return 0;
  } finally {
    await keys.close();
    await outbound.close();
    await store.close();
  }
}
