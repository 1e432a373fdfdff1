import { isIPv6 } from 'node:net';
import { colorsFor } from '../../adapters/cli/colors.ts';
import { type ConfigurationFacts, renderCheck, renderReference } from '../../adapters/cli/reports.ts';
import { ConfigurationError, type ConfigurationProblem } from '../../adapters/config/errors.ts';
import type { ReadSettings } from '../../adapters/config/read-settings.ts';
import { openFileLimit } from '../../adapters/system/open-files.ts';
import { type RotatedKeyName, SIGN_IN_KEYS } from '../../domain/keys/server-keys.ts';
import { checkKeys } from '../platform/key-checks.ts';
import { loadSettings } from '../platform/settings.ts';
import { checkLimitStore, nodesOf } from '../platform/store-checks.ts';
import { STORES } from '../platform/stores.ts';
import type { BackupOptions } from './backup.ts';
import { openManagement } from './management.ts';
import { type MigrateOptions, migrate } from './migrate.ts';
import { askToReload } from './reload.ts';
import { reseal } from './reseal.ts';
import { rotateKeys } from './rotate-key.ts';
import { checkStore } from './start-checks.ts';

const colors = colorsFor(process.stdout, process.env);
const print = (text: string): void => void process.stdout.write(text);
const terminal = { colors, out: print, err: (text: string) => void process.stderr.write(text) };

/** Prints what the configuration enables, what is wrong with it and whether its stores can be used now. */
export async function check({ from }: { from: string }): Promise<number> {
  if (from !== '') return checkReference(from);
  const settings = await loadSettings(process.env).catch(wrongConfiguration);
  const outcome = settings instanceof ConfigurationError ? settings : await withStores(settings);
  const { text, exitCode } = renderCheck(outcome, colors);
  print(text);
  return exitCode;
}

/** Prints what becomes of each line of a configuration of the reference implementation. */
async function checkReference(folder: string): Promise<number> {
  const { readReferenceFolder } = await import('../../adapters/config/reference-folder.ts');
  const { text, exitCode } = renderReference(await readReferenceFolder(folder, process.env), colors);
  print(text);
  return exitCode;
}

async function withStores(settings: ReadSettings): Promise<ConfigurationFacts | ConfigurationError> {
  const [store, limits, keys, ofStart] = await Promise.all([
    checkStore(settings),
    checkLimitStore(settings),
    checkKeys(settings),
    problemsOfStart(settings),
  ]);
  const problems = [...store.problems, ...(limits?.problems ?? []), ...ofStart];
  if (problems.length > 0) return new ConfigurationError(problems);
  const facts = await factsOf(settings);
  return {
    ...facts,
    store: `${facts.store}: ${store.state}`,
    keys,
    ...(limits && { limits: `Redis at ${nodesOf(settings.rateLimit.persistence)}: ${limits.state}` }),
    warnings: [...facts.warnings, ...store.warnings, ...(limits?.warnings ?? [])],
  };
}

/** Loads the services, which no other command needs. */
const problemsOfStart = async (settings: ReadSettings): Promise<readonly ConfigurationProblem[]> =>
  (await import('./start-trial.ts')).startProblems(settings);

/** Copies a store into another and reports progress. */
export const migrateStores = (options: MigrateOptions): Promise<number> =>
  migrate(options, { environment: process.env, ...terminal });

/** Seals everything under the current master key and reports progress. */
export const resealStore = (): Promise<number> => withSettings((settings) => reseal(settings, terminal));

/** Checks the configuration, then asks the server with this process id to read it again. */
export async function reload({ pid }: { pid: number }): Promise<number> {
  const settings = await loadOrReport();
  if (!settings) return 1;
  const problems = await problemsOfStart(settings);
  if (problems.length > 0) return reportWrong({ problems });
  const problem = askToReload(pid);
  if (problem === undefined)
    print(`Process ${pid} was asked to read its configuration again; its log says when it did, and what changed\n`);
  else terminal.err(`credenza: process ${pid} cannot be asked: ${problem}\n`);
  return problem === undefined ? 0 : 1;
}

/** Writes everything in the store into a sealed file. */
export const backupStore = (options: BackupOptions): Promise<number> =>
  withSettings(async (settings) => (await import('./backup.ts')).backup(settings, options, terminal));

/** Reads a backup whole and prints what it holds. */
export const verifyBackup = (options: BackupOptions): Promise<number> =>
  withSettings(async (settings) => (await import('./backup.ts')).verify(settings, options, terminal));

/** Puts a backup into the store, which is empty. */
export const restoreBackup = (options: BackupOptions): Promise<number> =>
  withSettings(async (settings) => (await import('./restore.ts')).restore(settings, options, terminal));

/** Makes void what a backup brought back and what is good once. */
export const restoredStore = (): Promise<number> =>
  withSettings(async (settings) => (await import('./restored.ts')).restored(settings, terminal));

/** Loads with `work` what only that command needs. Returns 1 when the configuration is wrong. */
async function withSettings(work: (settings: ReadSettings) => Promise<number>): Promise<number> {
  const settings = await loadOrReport();
  return settings ? work(settings) : 1;
}

/** Makes a new login key current and reports until when the previous ones verify. */
export const rotateLoginKey = (): Promise<number> => rotated(['login']);

/** Makes a new key current for encrypted credential requests and reports until when the previous ones decrypt. */
export const rotateEncryptionKey = (): Promise<number> => rotated(['encryption']);

/** Makes new keys current for the tokens of sign-ins and reports until when the previous ones are published. */
export const rotateSignInKeys = (): Promise<number> => rotated(SIGN_IN_KEYS);

const rotated = (names: readonly RotatedKeyName[]): Promise<number> =>
  withSettings((settings) => rotateKeys(settings, names, terminal));

/** Returns the settings; undefined when the configuration is wrong, after standard error has named each mistake. */
export async function loadOrReport(): Promise<ReadSettings | undefined> {
  const settings = await loadSettings(process.env).catch(wrongConfiguration);
  if (!(settings instanceof ConfigurationError)) return settings;
  reportWrong(settings);
  return undefined;
}

/** Returns the exit code. */
function reportWrong(wrong: { problems: readonly ConfigurationProblem[] }): number {
  const { text, exitCode } = renderCheck(wrong, colorsFor(process.stderr, process.env));
  process.stderr.write(text);
  return exitCode;
}

function wrongConfiguration(error: unknown): ConfigurationError {
  if (error instanceof ConfigurationError) return error;
  throw error;
}

/** Returns the settings that operators are shown. */
export async function factsOf(settings: ReadSettings): Promise<ConfigurationFacts> {
  const { services, admin, features, store, dataDir, configDir, files, warnings } = settings;
  const described = STORES[store.type].describe({ store, dataDir });
  const all = [...warnings, ...connectionWarnings(services)];
  return {
    services: services.services,
    ...(admin && { admin: `http://${isIPv6(admin.host) ? `[${admin.host}]` : admin.host}:${admin.port}` }),
    features: features.enabled,
    store: described,
    openManagement: await openManagement(settings),
    configDir,
    files,
    warnings: all,
  };
}

/** Open files that a process needs beside its connections: the store, its log, calls of its own. */
const OTHER_FILES = 64;

function connectionWarnings({ maxConnections }: ReadSettings['services']): string[] {
  const limit = openFileLimit();
  if (limit === undefined || maxConnections + OTHER_FILES <= limit) return [];
  return [
    `services.conf maxConnections is ${maxConnections}, but a process may open ${limit} files (ulimit -n): ` +
      `raise that limit, or set at most ${Math.max(1, limit - OTHER_FILES)}`,
  ];
}
