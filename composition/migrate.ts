import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type MigrationOutcome, type MigrationStep, progressLines, renderMigration } from '../adapters/cli/migrate.ts';
import type { Paint } from '../adapters/cli/paint.ts';
import { describeStore, parseStoreAddress, type StoreAddress } from '../adapters/cli/store-address.ts';
import { RedisCopy } from '../adapters/redis/redis-copy.ts';
import { SqliteCopy } from '../adapters/sqlite/sqlite-copy.ts';
import { systemClock } from '../adapters/system/system.ts';
import { Migration } from '../domain/migration/migration.ts';
import type { Log } from '../ports/log.ts';
import type { Copyable } from '../ports/store-copy.ts';

/** Which store is copied into which, as the command line names them. */
export interface MigrateOptions {
  from: string;
  to: string;
}

/** Where the outcome and the progress are told, and where passwords may stand. */
export interface MigrateSurroundings {
  environment: Record<string, string | undefined>;
  paint: Paint;
  out(text: string): void;
  err(text: string): void;
}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Copies a store into another and proves that both hold the same. @throws Error that names the store it is about */
export async function migrate(options: MigrateOptions, around: MigrateSurroundings): Promise<number> {
  const { MIGRATE_FROM_PASSWORD, MIGRATE_TO_PASSWORD } = around.environment;
  const source = withPassword(parseStoreAddress(options.from), MIGRATE_FROM_PASSWORD);
  const target = withPassword(parseStoreAddress(options.to), MIGRATE_TO_PASSWORD);
  if (describeStore(source) === describeStore(target)) throw new Error('Both stores are the same');
  const from = await open(source, { mustExist: true });
  const to = await open(target, { mustExist: false }).catch(async (error) => {
    await from.close();
    throw error;
  });
  const line = progressLines(() => performance.now());
  const onProgress = (progress: MigrationStep): void => around.err(line(progress) ?? '');
  try {
    const parts = { from, to, clock: systemClock, source: describeStore(source), onProgress };
    const outcome: MigrationOutcome = await new Migration(parts).run();
    around.out(renderMigration(outcome, around.paint));
    return 0;
  } finally {
    await from.close();
    await to.close();
  }
}

function withPassword(address: StoreAddress, password: string | undefined): StoreAddress {
  if (address.kind === 'sqlite') return { ...address, folder: resolve(address.folder) };
  return password ? { ...address, password } : address;
}

/** @throws Error that names the store when it does not answer */
async function open(address: StoreAddress, options: { mustExist: boolean }): Promise<Copyable> {
  let store: Copyable | undefined;
  try {
    store = await connect(address, options);
    await store.get({ collection: 'seal', listed: false, parent: '', id: 'probe' });
    return store;
  } catch (error) {
    await store?.close();
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Error(`${describeStore(address)} cannot be opened: ${reason}`, { cause: error });
  }
}

async function connect(address: StoreAddress, { mustExist }: { mustExist: boolean }): Promise<Copyable> {
  if (address.kind === 'redis') return new RedisCopy(address, { clock: systemClock, log: silent });
  if (!mustExist) await mkdir(address.folder, { recursive: true, mode: 0o700 });
  return new SqliteCopy(join(address.folder, 'credenza.sqlite'), { fileMustExist: mustExist });
}
