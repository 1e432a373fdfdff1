import { renderRestored } from '../../adapters/cli/restored.ts';
import type { ServiceName, Settings } from '../../adapters/config/settings.ts';
import { SealedStore } from '../../adapters/decorators/sealing/sealed-store.ts';
import { silentLog } from '../../adapters/log/silent-log.ts';
import { systemClock, systemMonotonicClock } from '../../adapters/system/system.ts';
import { markRestoring } from '../../domain/migration/data-version.ts';
import { refuseUnfinished } from '../../domain/migration/migration-marker.ts';
import { restore } from '../../domain/migration/restoration.ts';
import { readSeal, SEAL_ID, SEALS } from '../../domain/migration/seal-record.ts';
import { AuditChains } from '../../domain/tenancy/audit/audit-chains.ts';
import { noteRestoration } from '../../domain/tenancy/audit/audit-restoration.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { AfterRestore, CollectionSpec, Store } from '../../ports/store.ts';
import { named, STORES, secretsOf } from '../platform/stores.ts';
import { VERSION } from '../root.ts';
import { SERVICES } from '../services/services.ts';
import { reportedPause, type Terminal } from './migrate.ts';
import { makeServices } from './start-trial.ts';

/**
 * Makes void what a backup brought back and what is good once, notes that in the audit log, and prints what it was;
 * `createdAt` is when the backup was made, where that is known. @throws Error that names the store
 */
export async function restored(
  settings: Settings,
  terminal: Omit<Terminal, 'environment'>,
  createdAt?: string,
): Promise<number> {
  const { describe, copy, open } = STORES[settings.store.type];
  const name = describe(settings);
  if (!copy) throw new Error(`The store is ${name}: nothing of it is at rest`);
  const over = new AbortController();
  const raw = copy(settings, reportedPause({ name, terminal, signal: over.signal }));
  const store = open(settings, { clock: systemClock, log: silentLog });
  try {
    const secrets = await secretsOf(settings);
    await requireOwn(store, secrets);
    await markRestoring(store, { program: VERSION }, true);
    const counts = await restore({ store: raw, secrets, rules: await rulesOf(settings) });
    await noteRestoration(chainsOf(store, secrets), createdAt);
    await markRestoring(store, { program: VERSION }, false);
    terminal.out(renderRestored(counts, terminal.colors));
    return 0;
  } catch (error) {
    throw named(name, error);
  } finally {
    over.abort();
    await raw.close();
    await store.close();
  }
}

const chainsOf = (store: Store, secrets: Secrets): AuditChains =>
  new AuditChains({
    store: new SealedStore(store, secrets, systemClock),
    clock: systemClock,
    monotonicClock: systemMonotonicClock,
  });

/** @throws Error when the store is not a whole one of this master key */
async function requireOwn(store: Store, secrets: Secrets): Promise<void> {
  await refuseUnfinished(store);
  const seal = await store.collection(SEALS).get({ id: SEAL_ID });
  if (!seal) throw new Error('The store holds no data: restore the backup first');
  readSeal(seal.value, secrets);
}

/** What becomes of the records of each collection that the services have. */
export async function rulesOf(settings: Settings): Promise<Map<string, AfterRestore<unknown>>> {
  const rules = new Map<string, AfterRestore<unknown>>();
  const noting = (store: Store): Store => ({
    collection: <T>(spec: CollectionSpec<T>) => {
      rules.set(spec.name, spec.afterRestore as AfterRestore<unknown>);
      return store.collection(spec);
    },
    ping: () => store.ping(),
    checkWritable: () => store.checkWritable(),
    close: () => store.close(),
  });
  await makeServices(settings, Object.keys(SERVICES) as ServiceName[], noting);
  return rules;
}
