import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Container, ContainerModule } from 'inversify';
import { readSettings } from '../../../adapters/config/read-settings.ts';
import { type Platform, PlatformT, platformModule } from '../../../composition/platform/platform.ts';
import { storeModule } from '../../../composition/platform/stores.ts';
import { systemModule } from '../../../composition/platform/system.ts';

/** A platform with the default settings and a store in memory, without a server; `close` removes its files. */
export async function startPlatform(): Promise<{ platform: Platform; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'credenza-platform-'));
  const defaults = await readSettings({ CONFIG_DIR: join(folder, 'config'), DATA_DIR: folder, PORT: '0' });
  const settings = { ...defaults, store: { ...defaults.store, type: 'memory' as const } };
  const container = new Container();
  for (const load of [await storeModule(settings), systemModule(settings, {}), platformModule({})])
    container.load(new ContainerModule(load));
  const platform = container.get<Platform>(PlatformT.id);
  const close = async (): Promise<void> => {
    await platform.store.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { platform, close };
}
