import { link, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { renderBackup } from '../../adapters/cli/backup.ts';
import type { Settings } from '../../adapters/config/settings.ts';
import { readMasterKeys } from '../../adapters/crypto/master-key.ts';
import { type BackupFacts, sealFile, unsealFile } from '../../adapters/crypto/sealed-file.ts';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { silentLog } from '../../adapters/log/silent-log.ts';
import { damageOf } from '../../adapters/sqlite/snapshot.ts';
import { SqliteCopy } from '../../adapters/sqlite/sqlite-copy.ts';
import { systemClock, systemRandom } from '../../adapters/system/system.ts';
import { isoMillis } from '../../domain/foundation/time.ts';
import { Migration } from '../../domain/migration/migration.ts';
import { isMarker } from '../../domain/migration/migration-marker.ts';
import type { RawStore } from '../../ports/store-copy.ts';
import { named, STORES, sqliteFile } from '../platform/stores.ts';
import { VERSION } from '../root.ts';
import { reasonOf, reportedPause, type Terminal } from './migrate.ts';
import { examine } from './start-checks.ts';

/** A backup, by the name of its file. */
export interface BackupOptions {
  file: string;
}

/** Where a command prints. */
export type Prints = Omit<Terminal, 'environment'>;

/**
 * Writes what the store of these settings holds at one moment into a new file, sealed under the current master key, and
 * prints what it is. The file is there whole or not at all. @throws Error that says what is wrong
 */
export async function backup(settings: Settings, { file }: BackupOptions, terminal: Prints): Promise<number> {
  const to = resolve(file);
  const store = STORES[settings.store.type].describe(settings);
  const masterKeys = await ringOf(settings);
  const folder = await scratch(`${to}.`);
  try {
    const place = placeIn(folder, settings, masterKeys);
    await snapshot(settings, sqliteFile(place), terminal);
    const collections = await contentOf(place, masterKeys).catch((error) => {
      throw named(store, error);
    });
    const sealed = join(folder, 'sealed');
    const about = { keys: masterKeys, createdAt: isoMillis(systemClock.now()), program: VERSION, store };
    const facts = await sealFile(sqliteFile(place), sealed, about);
    await publish(sealed, to);
    terminal.out(renderBackup(`The backup is in ${file}.`, { ...facts, collections }, terminal.colors));
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads a backup whole: its checksum, its seal, its database; prints what it holds. @throws Error that says what is wrong */
export async function verify(settings: Settings, { file }: BackupOptions, terminal: Prints): Promise<number> {
  const masterKeys = await ringOf(settings);
  const folder = await scratch(join(tmpdir(), 'credenza-verify-'));
  try {
    const { facts, collections } = await unpack(file, placeIn(folder, settings, masterKeys), masterKeys);
    terminal.out(renderBackup('The backup is whole.', { ...facts, collections }, terminal.colors));
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The master keys that were made before; a backup needs no new ones. @throws Error when there are none */
export async function ringOf({ dataDir, masterKeys }: Settings): Promise<Buffer[]> {
  const keys = await readMasterKeys(dataDir, masterKeys);
  if (keys) return keys;
  throw new Error(`There is no master key: put ${join(dataDir, 'master.key')} there, or set MASTER_KEY`);
}

/** The same settings on a SQLite file in another folder. */
export const placeIn = (folder: string, settings: Settings, masterKeys: readonly Buffer[]): Settings => ({
  ...settings,
  dataDir: folder,
  store: { ...settings.store, type: 'sqlite' },
  masterKeys: masterKeys.map((key) => key.toString('hex')),
});

/** A new folder that only its owner reads. */
export const scratch = (prefix: string): Promise<string> =>
  mkdtemp(prefix).catch((cause: Error) => {
    throw new Error(`${dirname(prefix)} cannot be written to: ${cause.message}`, { cause });
  });

/** Opens a backup in the data directory of `place`, and counts the records of each collection. @throws Error that says what is wrong */
export async function unpack(
  file: string,
  place: Settings,
  masterKeys: readonly Buffer[],
): Promise<{ facts: BackupFacts; collections: Map<string, number> }> {
  const facts = await unsealFile(file, sqliteFile(place), masterKeys);
  return { facts, collections: await contentOf(place, masterKeys) };
}

/** @throws Error when no server would start on what the file holds */
async function contentOf(place: Settings, masterKeys: readonly Buffer[]): Promise<Map<string, number>> {
  const file = sqliteFile(place);
  const damage = damageOf(file);
  if (damage !== undefined) throw new Error(`The database is damaged: ${damage}`);
  const store = STORES.sqlite.open(place, { clock: systemClock, log: silentLog });
  try {
    await examine(store, place, new AesSecrets(masterKeys, systemRandom));
  } finally {
    await store.close();
  }
  return counted(new SqliteCopy(file, { fileMustExist: true, pause: failing }));
}

const failing = async (_ms: number, reason: unknown): Promise<void> => {
  throw reason;
};

const PAGE = 500;

async function counted(copy: RawStore): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  try {
    for await (const records of copy.records(PAGE))
      for (const record of records)
        if (!isMarker(record)) counts.set(record.collection, (counts.get(record.collection) ?? 0) + 1);
  } finally {
    await copy.close();
  }
  if (counts.size > 0) return counts;
  throw new Error('It holds no data');
}

/** A database without a moment of its own is copied, and compared: a write in between is a refusal. */
async function snapshot(settings: Settings, file: string, terminal: Prints): Promise<void> {
  const { describe, copy, snapshot: take } = STORES[settings.store.type];
  const name = describe(settings);
  if (!copy) throw new Error(`The store is ${name}: only its own process can read it`);
  try {
    if (take) return await take(settings, file);
    const over = new AbortController();
    const from = copy(settings, reportedPause({ name, terminal, signal: over.signal }));
    const to = new SqliteCopy(file, { fileMustExist: false, pause: failing });
    try {
      const onProgress = (): void => undefined;
      await new Migration({ from, to, clock: systemClock, source: name, onProgress }).run();
    } finally {
      over.abort();
      await Promise.all([from.close(), to.close()]);
    }
  } catch (error) {
    throw new Error(`${name}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Gives the file its name, which no other has; it is on the disk when this resolves. @throws Error that says what is wrong */
export async function publish(from: string, to: string): Promise<void> {
  await link(from, to).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'EEXIST' ? 'it is there already' : cause.message;
    throw new Error(`${to} cannot be written: ${reason}`, { cause });
  });
  const folder = await open(dirname(to), 'r');
  await folder.sync().finally(() => folder.close());
}
