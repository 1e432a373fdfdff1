import cluster from 'node:cluster';
import { colorsFor } from '../adapters/cli/colors.ts';
import { renderStarted } from '../adapters/cli/reports.ts';
import type { ReadSettings } from '../adapters/config/read-settings.ts';
import { jsonLog } from '../adapters/log/json-log.ts';
import { factsOf, loadOrReport } from './commands.ts';
import { DRAIN_MS, start } from './start.ts';
import { faulted, faultLine, stopRequested } from './stop-reasons.ts';
import { sayFailed, sayReady, Workers } from './workers.ts';

/** What is left of a process so long after its last connection is ended, in milliseconds. */
const RELEASE_MS = 2000;

/**
 * Serves until SIGTERM, SIGINT or SIGHUP, then finishes what is under way. 1 when the configuration is wrong, the
 * start fails or an error was not handled.
 */
export async function serve(version: string): Promise<number> {
  const settings = await loadOrReport();
  if (!settings) return leave(1);
  const say = (url: string): void => {
    process.stdout.write(renderStarted({ version, url, ...factsOf(settings) }, colorsFor(process.stdout, process.env)));
  };
  if (cluster.isWorker) return work(settings).then(leave);
  return settings.services.workers > 1 ? supervise(settings, say) : serveAlone(settings, say);
}

async function serveAlone(settings: ReadSettings, onReady: (url: string, port: number) => void): Promise<number> {
  const stop = stopRequested();
  const running = await start(settings);
  const fault = faulted(running.reportFault);
  onReady(running.url, running.port);
  const exitCode = await Promise.race([stop.then(() => 0), fault.then(() => 1)]);
  setTimeout(() => process.exit(exitCode), longestStopMs(settings)).unref();
  await running.close();
  return exitCode;
}

/** Serves as one of several; the process that started this one says what happened. */
async function work(settings: ReadSettings): Promise<number> {
  return serveAlone(settings, (_url, port) => sayReady(port)).catch(async (error) => {
    await sayFailed(error instanceof Error ? error.message : String(error));
    return 1;
  });
}

async function supervise(settings: ReadSettings, onReady: (url: string) => void): Promise<number> {
  const stop = stopRequested().then(() => 0);
  const log = jsonLog(settings.logLevel);
  const fault = faulted((kind, error) => log.error(...faultLine(kind, error))).then(() => 1);
  const workers = new Workers({ count: settings.services.workers, log });
  try {
    const over = Promise.race([stop, fault]);
    const port = await Promise.race([workers.ready(), over.then(() => undefined)]);
    if (port !== undefined) onReady(settings.publicUrl.replace(/:0$/, `:${port}`));
    return await over;
  } finally {
    await workers.stop(longestStopMs(settings));
  }
}

const longestStopMs = ({ services }: ReadSettings): number => services.stopDelaySeconds * 1000 + DRAIN_MS + RELEASE_MS;

/** A worker stays while it is connected to the process that started it. */
function leave(exitCode: number): number {
  cluster.worker?.disconnect();
  return exitCode;
}
