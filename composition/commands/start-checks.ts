import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Settings } from '../../adapters/config/settings.ts';
import { readMasterKeys } from '../../adapters/crypto/master-key.ts';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { systemRandom } from '../../adapters/system/system.ts';
import { refuseForeignData } from '../../domain/migration/data-version.ts';
import { refuseUnfinished } from '../../domain/migration/migration-marker.ts';
import { readSeal, SEAL_ID, SEALS } from '../../domain/migration/seal-record.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { Store } from '../../ports/store.ts';
import { refused, type StoreFinding } from '../platform/store-checks.ts';
import { named, STORES, takerOf } from '../platform/stores.ts';

/** Finds out, without a change, whether a server would start on the store of these settings, and whether it can be used now. */
export async function checkStore(settings: Settings): Promise<StoreFinding> {
  const { check, describe, refuseEmptied } = STORES[settings.store.type];
  try {
    await requireFolder(settings.dataDir);
    refuseEmptied?.(settings);
    const keys = await readMasterKeys(settings.dataDir, settings.masterKeys);
    const secrets = keys && new AesSecrets(keys, systemRandom);
    return await check(settings, (store) =>
      examine(store, settings, secrets).catch((error) => {
        throw named(describe(settings), error);
      }),
    );
  } catch (error) {
    return refused(error);
  }
}

/** @throws Error when a server would not start on what the store holds */
export async function examine(store: Store, settings: Settings, secrets: Secrets | undefined): Promise<void> {
  await refuseUnfinished(store);
  await refuseForeignData(store, takerOf(settings, secrets));
  const seal = await store.collection(SEALS).get({ id: SEAL_ID });
  if (!seal) return;
  if (!secrets) throw new Error('Its data is sealed, and there is no master key: put master.key back from a backup');
  readSeal(seal.value, secrets);
}

/** @throws Error when a start could not make the folder or write into it */
async function requireFolder(dataDir: string): Promise<void> {
  for (let folder = dataDir; ; folder = dirname(folder))
    try {
      // A file has no entries: its place ends with a slash here.
      await access(`${folder}/`, constants.W_OK);
      return;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT' && folder !== dirname(folder)) continue;
      throw new Error(`The data folder ${dataDir} cannot be used: ${(cause as Error).message}`, { cause });
    }
}
