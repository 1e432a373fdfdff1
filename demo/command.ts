import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { colorsFor } from '../adapters/cli/colors.ts';
import { readSettings } from '../adapters/config/read-settings.ts';
import type { Settings } from '../adapters/config/settings.ts';
import { JsonLog } from '../adapters/log/json-log.ts';
import { start } from '../composition/commands/start.ts';
import { stopRequested } from '../composition/platform/stop-reasons.ts';
import { makeDemoCertificates } from './actors/certificates.ts';
import { CLOUDS, type DemoCloud } from './fake-clouds/clouds.ts';
import { issuerKeys } from './issuer-keys.ts';
import { runDemo } from './scenario.ts';
import { HttpServices } from './services.ts';

/** How the demo is run. */
export interface DemoCommand {
  /** Whether the server keeps running afterwards. */
  keep: boolean;
  /** The key management service that has the issuer's key: a fake of it is started; '' for none. */
  kms: string;
}

/** Runs the scenario against a server of its own on a free port, then writes its log and removes its data. @throws Error for an unknown service */
export async function demo({ keep, kms }: DemoCommand): Promise<number> {
  const cloud = await startCloud(kms);
  const dataDir = await mkdtemp(join(tmpdir(), 'credenza-demo-'));
  const certificates = await makeDemoCertificates();
  const settings = await demoSettings({ dataDir, caPem: certificates.caPem, kms: cloud?.settings });
  const keys = issuerKeys(settings);
  const log = new JsonLog(settings.logLevel, { isHeld: true });
  const running = await start(settings, { log });
  try {
    await runDemo({
      services: await HttpServices.at(running.url),
      client: certificates,
      issuerKey: cloud?.key,
      keys: keys.backends,
      print: (line) => void process.stdout.write(`${line}\n`),
      colors: colorsFor(process.stdout, process.env),
      keep,
      isTerminal: process.stdout.isTTY === true,
    });
    log.release();
    if (keep) await stopRequested();
    return 0;
  } finally {
    log.release();
    await running.close(keep ? undefined : 0);
    await keys.close();
    await cloud?.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startCloud(name: string): Promise<DemoCloud | undefined> {
  if (name === '') return undefined;
  const start = Object.hasOwn(CLOUDS, name) ? CLOUDS[name] : undefined;
  if (!start) throw new Error(`--kms must be one of ${Object.keys(CLOUDS).join(', ')}`);
  return start();
}

interface DemoSettings {
  dataDir: string;
  caPem: string;
  kms?: Partial<Settings['kms']>;
}

async function demoSettings({ dataDir, caPem, kms }: DemoSettings): Promise<Settings> {
  const environment = { CONFIG_DIR: dataDir, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' };
  const settings = await readSettings(environment);
  return {
    ...settings,
    kms: { ...settings.kms, ...kms },
    features: { enabled: ['trusted-ca', 'rejectionreason'], disabled: [], trustedCa: true },
    trustedCa: { certificates: [caPem] },
    // The wallets of the demo answer from one address, more often than the default allows.
    rateLimit: { ...settings.rateLimit, exempt: ['127.0.0.0/8'] },
    outbound: { allow: ['127.0.0.1'], callbacks: { signingSecrets: [] } },
  };
}
