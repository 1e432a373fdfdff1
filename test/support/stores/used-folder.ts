import { readSettings } from '../../../adapters/config/read-settings.ts';
import { systemClock } from '../../../adapters/system/system.ts';
import { openStore } from '../../../composition/platform/stores.ts';
import { silentLog } from '../servers/silent-log.ts';

/** Makes the data of an installation that was in use, with a master key of its own, without starting a server. */
export async function useFolder(folder: string): Promise<void> {
  const settings = await readSettings({ CONFIG_DIR: folder, DATA_DIR: folder });
  const { store, claim, checkKey } = (await openStore(settings))({ clock: systemClock, log: silentLog });
  await claim();
  await checkKey();
  await store.close();
}
