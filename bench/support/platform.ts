import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../adapters/config/read-settings.ts';
import type { Settings } from '../../adapters/config/settings.ts';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { SealedStore } from '../../adapters/decorators/sealing/sealed-store.ts';
import { MemoryStore } from '../../adapters/memory/memory-store.ts';
import { createPlatform, type Platform } from '../../composition/platform/platform.ts';
import { createSystem } from '../../composition/platform/system.ts';
import type { Log } from '../../ports/log.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';

const discard = (): void => {};

/** A log that writes nothing. */
export const SILENT: Log = { debug: discard, info: discard, warn: discard, error: discard };

/** The platform as in production but for the log; its store is sealed, and in memory unless `database` opens another. */
export async function benchPlatform(
  changes: Partial<Settings> = {},
  database: (clock: Clock) => Store = (clock) => new MemoryStore(clock),
): Promise<Platform> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const settings = { ...(await readSettings({ CONFIG_DIR: folder, DATA_DIR: folder })), ...changes };
  const system = createSystem(settings, { log: SILENT });
  const secrets = new AesSecrets([randomBytes(32)], system.random);
  const store = new SealedStore(database(system.clock), secrets, system.clock);
  return createPlatform({ settings, system, store });
}
