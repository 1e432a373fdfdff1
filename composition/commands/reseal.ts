import { renderReseal, resealLines } from '../../adapters/cli/reseal.ts';
import type { Settings } from '../../adapters/config/settings.ts';
import { SealedStore } from '../../adapters/decorators/sealing/sealed-store.ts';
import { silentLog } from '../../adapters/log/silent-log.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { refuseForeignData } from '../../domain/migration/data-version.ts';
import { Resealing } from '../../domain/migration/resealing.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { RawStore } from '../../ports/store-copy.ts';
import { STORES, secretsOf, takerOf } from '../platform/stores.ts';
import { reasonOf, reportedPause, type Terminal } from './migrate.ts';

type ResealTerminal = Omit<Terminal, 'environment'>;

/**
 * Seals everything in the store of these settings under the current master key and prints a table. Returns 1 when
 * something is left under another key. @throws Error that names the store
 */
export async function reseal(settings: Settings, terminal: ResealTerminal): Promise<number> {
  const database = STORES[settings.store.type];
  const name = database.describe(settings);
  if (!database.copy) throw new Error(`The store is ${name}: nothing of it is at rest`);
  const over = new AbortController();
  const pause = reportedPause({ name, terminal, signal: over.signal });
  let store: RawStore | undefined;
  try {
    store = database.copy(settings, pause);
    await store.ping();
    return await resealAll(store, settings, terminal);
  } catch (error) {
    if (!isDomainError(error, 'StoreUnavailable')) throw error;
    throw new Error(`${name} cannot be used: ${reasonOf(error)}. What is resealed stays: run this again`, {
      cause: error,
    });
  } finally {
    over.abort();
    await store?.close();
  }
}

async function resealAll(store: RawStore, settings: Settings, terminal: ResealTerminal): Promise<number> {
  const secrets = await secretsOf(settings);
  await announce(settings, secrets);
  const line = resealLines(() => performance.now());
  const resealing = new Resealing({ store, secrets, onProgress: (progress) => terminal.err(line(progress)) });
  const result = await resealing.run();
  terminal.out(renderReseal({ keyId: secrets.keyIds[0] ?? '', ...result }, terminal.colors));
  return result.isComplete ? 0 : 1;
}

/** Adds the current key to those of the store, before the first value is sealed under it. */
async function announce(settings: Settings, secrets: Secrets): Promise<void> {
  const database = STORES[settings.store.type].open(settings, { clock: systemClock, log: silentLog });
  const store = new SealedStore(database, secrets, systemClock);
  try {
    await refuseForeignData(store, takerOf(settings, secrets));
    await store.checkKey();
  } finally {
    await store.close();
  }
}
