import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { progressLines } from '../../adapters/cli/migrate.ts';
import type { Settings } from '../../adapters/config/settings.ts';
import { SqliteCopy } from '../../adapters/sqlite/sqlite-copy.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { Migration } from '../../domain/migration/migration.ts';
import { STORES, sqliteFile } from '../platform/stores.ts';
import { type BackupOptions, type Prints, placeIn, publish, ringOf, scratch, unpack } from './backup.ts';
import { reasonOf, reportedPause } from './migrate.ts';
import { restored } from './restored.ts';

/**
 * Puts a backup into the store of these settings, which is empty, after what is good once was made void in it. An
 * interrupted run leaves nothing of it in a SQLite store, and in others a copy on which no server starts, which the next
 * run completes. @throws Error that says what is wrong
 */
export async function restore(settings: Settings, { file }: BackupOptions, terminal: Prints): Promise<number> {
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const isFile = settings.store.type === 'sqlite';
  if (isFile) refuseOther(sqliteFile(settings));
  const masterKeys = await ringOf(settings);
  const folder = await scratch(join(settings.dataDir, 'restore-'));
  try {
    const place = placeIn(folder, settings, masterKeys);
    const { facts } = await unpack(resolve(file), place, masterKeys);
    await restored(place, terminal, facts.createdAt);
    if (isFile) await settle(sqliteFile(place), sqliteFile(settings));
    else await copyInto(settings, { from: sqliteFile(place), source: `the backup of ${facts.createdAt}` }, terminal);
    const name = STORES[settings.store.type].describe(settings);
    terminal.out(`${terminal.colors('good', `The backup of ${facts.createdAt} is in ${name}.`)}\n`);
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Gives the whole file its place, unless another has it. */
async function settle(from: string, to: string): Promise<void> {
  refuseOther(to);
  await publish(from, to);
}

function refuseOther(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`])
    if (existsSync(path))
      throw new Error(
        `${path} is there: a backup is restored where no store is. Move it away with those beside it first`,
      );
}

async function copyInto(
  settings: Settings,
  { from: file, source }: { from: string; source: string },
  terminal: Prints,
): Promise<void> {
  const { copy, describe } = STORES[settings.store.type];
  const name = describe(settings);
  if (!copy) throw new Error(`The store is ${name}: nothing of it is at rest`);
  const over = new AbortController();
  const pause = reportedPause({ name, terminal, signal: over.signal });
  const from = new SqliteCopy(file, { fileMustExist: true, pause });
  const to = copy(settings, pause);
  const line = progressLines(() => performance.now());
  try {
    await to.ping();
    const onProgress = (step: Parameters<typeof line>[0]): void => terminal.err(line(step) ?? '');
    await new Migration({ from, to, clock: systemClock, source, onProgress }).run();
  } catch (error) {
    throw new Error(`${name}: ${reasonOf(error)}`, { cause: error });
  } finally {
    over.abort();
    await Promise.all([from.close(), to.close()]);
  }
}
