import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { colorsFor } from '../adapters/cli/colors.ts';
import { readSettings } from '../adapters/config/read-settings.ts';
import type { Settings } from '../adapters/config/settings.ts';
import { bufferLog } from '../adapters/log/buffered-log.ts';
import { jsonLog } from '../adapters/log/json-log.ts';
import { start } from '../composition/start.ts';
import { stopRequested } from '../composition/stop-reasons.ts';
import { makeDemoCertificates } from './actors/certificates.ts';
import { runDemo } from './scenario.ts';

/** Runs the scenario against a server of its own on a free port, then writes its log and removes its data. */
export async function demo({ keep }: { keep: boolean }): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'credenza-demo-'));
  const certificates = await makeDemoCertificates();
  const settings = await demoSettings(dataDir, certificates.caPem);
  const buffered = bufferLog(jsonLog(settings.logLevel));
  const running = await start(settings, { log: buffered.log });
  try {
    const { url } = running;
    await runDemo({
      walletUrl: url,
      issuerUrl: url,
      verifierUrl: url,
      statusUrl: url,
      client: certificates,
      print: (line) => void process.stdout.write(`${line}\n`),
      colors: colorsFor(process.stdout, process.env),
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

async function demoSettings(dataDir: string, caPem: string): Promise<Settings> {
  const environment = { CONFIG_DIR: dataDir, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' };
  return {
    ...(await readSettings(environment)),
    features: { enabled: ['trusted-ca', 'rejectionreason'], disabled: [], trustedCa: true },
    trustedCa: { certificates: [caPem] },
    outbound: { allow: ['127.0.0.1'] },
  };
}
