import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Colors } from '../../adapters/cli/colors.ts';
import {
  type MigrationOutcome,
  type MigrationStep,
  progressLines,
  renderMigration,
} from '../../adapters/cli/migrate.ts';
import { describeStore, parseStoreAddress, type StoreAddress } from '../../adapters/cli/store-address.ts';
import { secretIn } from '../../adapters/config/variables.ts';
import { silentLog } from '../../adapters/log/silent-log.ts';
import { PostgresCopy } from '../../adapters/postgres/postgres-copy.ts';
import { RedisCopy } from '../../adapters/redis/redis-copy.ts';
import { SqliteCopy } from '../../adapters/sqlite/sqlite-copy.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { Migration } from '../../domain/migration/migration.ts';
import type { Pause } from '../../domain/migration/retries.ts';
import type { RawStore } from '../../ports/store-copy.ts';

/** Which store is copied into which, as the command line names them. */
export interface MigrateOptions {
  from: string;
  to: string;
}

/** Where the command prints its outcome and its progress, and the environment that may name passwords. */
export interface Terminal {
  environment: Record<string, string | undefined>;
  colors: Colors;
  out(text: string): void;
  err(text: string): void;
}

/** Copies a store into another and verifies that both store the same records. @throws Error that names the store */
export async function migrate(options: MigrateOptions, terminal: Terminal): Promise<number> {
  const password = (name: string): string | undefined => secretIn(terminal.environment, name)?.text;
  const source = withPassword(parseStoreAddress(options.from), password('MIGRATE_FROM_PASSWORD'));
  const target = withPassword(parseStoreAddress(options.to), password('MIGRATE_TO_PASSWORD'));
  if (describeStore(source) === describeStore(target)) throw new Error('Both stores are the same');
  const over = new AbortController();
  const pauseFor = (address: StoreAddress): Pause =>
    reportedPause({ name: describeStore(address), terminal, signal: over.signal });
  const from = await open(source, { mustExist: true, pause: pauseFor(source) });
  const to = await open(target, { mustExist: false, pause: pauseFor(target) }).catch(async (error) => {
    await from.close();
    throw error;
  });
  const line = progressLines(() => performance.now());
  const onProgress = (progress: MigrationStep): void => terminal.err(line(progress) ?? '');
  try {
    const parts = { from, to, clock: systemClock, source: describeStore(source), onProgress };
    const outcome: MigrationOutcome = await new Migration(parts).run();
    terminal.out(renderMigration(outcome, terminal.colors));
    return 0;
  } catch (error) {
    if (!isDomainError(error, 'StoreUnavailable')) throw error;
    throw new Error(`${reasonOf(error)}. What is copied stays: run this again`, { cause: error });
  } finally {
    over.abort();
    await from.close();
    await to.close();
  }
}

/** Waits before the next attempt, and prints which store failed and why. @throws Error at once when the migration is over */
export const reportedPause =
  ({ name, terminal, signal }: { name: string; terminal: Pick<Terminal, 'err'>; signal: AbortSignal }): Pause =>
  async (ms, reason) => {
    signal.throwIfAborted();
    terminal.err(`  ${name} fails (${reasonOf(reason)}); next try in ${ms} ms\n`);
    await setTimeout(ms, undefined, { signal });
  };

/** The message of a failure with that of its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function withPassword(address: StoreAddress, password: string | undefined): StoreAddress {
  if (address.kind === 'sqlite') return { ...address, folder: resolve(address.folder) };
  return password ? { ...address, password } : address;
}

interface OpenOptions {
  mustExist: boolean;
  pause: Pause;
}

/** Opens a store and pings it. @throws Error that names the store when it does not answer */
async function open(address: StoreAddress, options: OpenOptions): Promise<RawStore> {
  let store: RawStore | undefined;
  try {
    store = await connect(address, options);
    await store.ping();
    return store;
  } catch (error) {
    await store?.close();
    throw new Error(`${describeStore(address)} cannot be opened: ${reasonOf(error)}`, { cause: error });
  }
}

async function connect(address: StoreAddress, { mustExist, pause }: OpenOptions): Promise<RawStore> {
  if (address.kind === 'redis') return new RedisCopy(address, { clock: systemClock, log: silentLog, pause });
  if (address.kind === 'postgres') return new PostgresCopy(address, { log: silentLog, pause });
  if (!mustExist) await mkdir(address.folder, { recursive: true, mode: 0o700 });
  return new SqliteCopy(join(address.folder, 'credenza.sqlite'), { fileMustExist: mustExist, pause });
}
