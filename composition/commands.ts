import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { colorsFor } from '../adapters/cli/colors.ts';
import { tellStory } from '../adapters/cli/demo.ts';
import { makeDemoCertificates } from '../adapters/cli/demo-certificates.ts';
import { type ConfigurationFacts, renderCheck } from '../adapters/cli/reports.ts';
import { ConfigurationError } from '../adapters/config/configuration-error.ts';
import { type ReadSettings, readSettings } from '../adapters/config/read-settings.ts';
import type { Settings } from '../adapters/config/settings.ts';
import { bufferLog } from '../adapters/log/buffered-log.ts';
import { jsonLog } from '../adapters/log/json-log.ts';
import { type MigrateOptions, migrate } from './migrate.ts';
import { loadSettings } from './settings.ts';
import { start } from './start.ts';
import { stopRequested } from './stop-reasons.ts';
import { checkLimitStore, nodesOf } from './store-checks.ts';
import { STORES } from './stores.ts';

const paint = colorsFor(process.stdout, process.env);
const print = (text: string): void => void process.stdout.write(text);

/** Prints what the configuration enables, what is wrong with it and whether its stores can be used now. */
export async function check(): Promise<number> {
  const settings = await loadSettings(process.env).catch(wrongConfiguration);
  const outcome = settings instanceof ConfigurationError ? settings : await withStores(settings);
  const { text, exitCode } = renderCheck(outcome, paint);
  print(text);
  return exitCode;
}

async function withStores(settings: ReadSettings): Promise<ConfigurationFacts | ConfigurationError> {
  const [store, limits] = await Promise.all([STORES[settings.store.type].check(settings), checkLimitStore(settings)]);
  const problems = [...store.problems, ...(limits?.problems ?? [])];
  if (problems.length > 0) return new ConfigurationError(problems);
  const facts = factsOf(settings);
  return {
    ...facts,
    store: `${facts.store}: ${store.state}`,
    ...(limits && { limits: `Redis at ${nodesOf(settings.rateLimit.persistence)}: ${limits.state}` }),
    warnings: [...facts.warnings, ...store.warnings, ...(limits?.warnings ?? [])],
  };
}

/** Runs the demo against a server on a free port, then writes the server's log and deletes its data. */
export async function demo({ keep }: { keep: boolean }): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'credenza-demo-'));
  const certificates = await makeDemoCertificates();
  const settings = await demoSettings(dataDir, certificates.caPem);
  const buffered = bufferLog(jsonLog(settings.logLevel));
  const running = await start(settings, { log: buffered.log });
  try {
    const { url } = running;
    await tellStory({
      walletUrl: url,
      issuerUrl: url,
      verifierUrl: url,
      statusUrl: url,
      client: certificates,
      print: (line) => print(`${line}\n`),
      paint,
      keep,
    });
    buffered.release();
    if (keep) await stopRequested();
    return 0;
  } finally {
    buffered.release();
    await running.close(keep ? undefined : 0);
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Copies a store into another and reports progress. */
export const migrateStores = (options: MigrateOptions): Promise<number> =>
  migrate(options, {
    environment: process.env,
    paint,
    out: print,
    err: (text) => void process.stderr.write(text),
  });

async function demoSettings(dataDir: string, caPem: string): Promise<Settings> {
  const environment = { CONFIG_DIR: dataDir, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' };
  return {
    ...(await readSettings(environment)),
    features: { enabled: ['trusted-ca'], disabled: [], trustedCa: true },
    trustedCa: { certificates: [caPem] },
    outbound: { allow: ['127.0.0.1'] },
  };
}

/** Returns the settings; undefined when the configuration is wrong, after standard error has named each mistake. */
export async function loadOrReport(): Promise<ReadSettings | undefined> {
  const settings = await loadSettings(process.env).catch(wrongConfiguration);
  if (!(settings instanceof ConfigurationError)) return settings;
  process.stderr.write(renderCheck(settings, colorsFor(process.stderr, process.env)).text);
  return undefined;
}

function wrongConfiguration(error: unknown): ConfigurationError {
  if (error instanceof ConfigurationError) return error;
  throw error;
}

/** Returns the settings that operators are shown. */
export function factsOf({
  services,
  features,
  store,
  dataDir,
  configDir,
  files,
  warnings,
}: ReadSettings): ConfigurationFacts {
  const described = STORES[store.type].describe({ store, dataDir });
  return { services: services.services, features: features.enabled, store: described, configDir, files, warnings };
}
