import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { colorsFor } from '../../adapters/cli/colors.ts';
import { renderStarted } from '../../adapters/cli/reports.ts';
import type { ReadSettings } from '../../adapters/config/read-settings.ts';
import { JsonLog } from '../../adapters/log/json-log.ts';
import { openTelemetry } from '../../adapters/metrics/open-telemetry.ts';
import { explain } from '../../domain/foundation/errors.ts';
import { DRAIN_MS, faultLine, firstFault, stopRequested } from '../platform/stop-reasons.ts';
import { VERSION } from '../root.ts';
import { factsOf, loadOrReport } from './commands.ts';
import { onReload, RELOAD, reloading } from './reload.ts';
import type { Running } from './start.ts';
import { reportFailed, reportReady, Workers } from './workers.ts';

/** How long a server without a terminal takes new connections after its stop signal: other machines send it requests. */
const UNATTENDED_STOP_DELAY_SECONDS = 3;
/** How long a process may take to release its resources after its last connection ended, in milliseconds. */
const RELEASE_MS = 2000;

/**
 * Serves until SIGTERM, SIGINT or SIGHUP, then finishes the requests under way. Returns 1 when the configuration is
 * wrong, the start fails or an error was not handled.
 */
export async function serve(version: string, { host, port }: { host: string; port: string }): Promise<number> {
  // Workers and reloads read them there, too.
  Object.assign(process.env, { '--host': host, '--port': port });
  const configured = await loadOrReport();
  if (!configured) return leave(1);
  const isTerminal = process.stdout.isTTY === true;
  const stopDelaySeconds = isTerminal ? 0 : UNATTENDED_STOP_DELAY_SECONDS;
  const settings = { ...configured, services: { stopDelaySeconds, ...configured.services } };
  if (cluster.isWorker) return serveAsWorker({ configured, settings }).then(leave);
  const facts = await factsOf(settings);
  const printStarted = (url: string): void => {
    process.stdout.write(renderStarted({ version, url, isTerminal, ...facts }, colorsFor(process.stdout, process.env)));
  };
  return settings.services.workers > 1
    ? supervise(settings, printStarted)
    : serveAlone({ configured, settings }, printStarted);
}

/** The settings of a server, and the configuration that they were made of. */
interface Served {
  configured: ReadSettings;
  settings: ReadSettings;
}

async function serveAlone(
  { configured, settings }: Served,
  onReady: (url: string, port: number) => void,
): Promise<number> {
  const stop = stopRequested();
  let reload: (() => Promise<void>) | undefined;
  // Before it runs, the files are read anyway.
  onReload(() => reload?.());
  // The process that only watches over workers does not load the services.
  const { start } = await import('./start.ts');
  const reporter = { version: VERSION, instance: randomUUID(), log: new JsonLog(settings.logLevel) };
  const starting = openTelemetry(process.env, reporter).then((telemetry) => start(settings, { telemetry }));
  const server = await Promise.race([starting, stop]);
  if (!server) return giveUp(starting);
  reload = reloading(server, configured);
  server.watchProcess();
  const fault = firstFault(server.reportFault);
  onReady(server.url, server.port);
  const exitCode = await Promise.race([stop.then(() => 0), fault.then(() => 1)]);
  setTimeout(() => process.exit(exitCode), longestStopMs(settings)).unref();
  await server.close();
  return exitCode;
}

/** Ends a process that was stopped before it served: a start that hangs has no request to finish. */
function giveUp(starting: Promise<Running>): number {
  setTimeout(() => process.exit(0), RELEASE_MS).unref();
  starting.then(
    (late) => late.close(0),
    () => undefined,
  );
  return 0;
}

/** Serves as one of several workers, and reports the outcome to the process that started it. */
async function serveAsWorker(served: Served): Promise<number> {
  return serveAlone(served, (_url, port) => reportReady(port)).catch(async (error) => {
    await reportFailed(explain(error));
    return 1;
  });
}

async function supervise(settings: ReadSettings, onReady: (url: string) => void): Promise<number> {
  const stop = stopRequested().then(() => 0);
  const log = new JsonLog(settings.logLevel);
  const fault = firstFault((kind, error) => log.error(...faultLine(kind, error))).then(() => 1);
  const workers = new Workers({ count: settings.services.workers, log });
  onReload(() => workers.signal(RELOAD));
  try {
    const over = Promise.race([stop, fault]);
    const port = await Promise.race([workers.ready(), over.then(() => undefined)]);
    if (port !== undefined) onReady(settings.publicUrl.replace(/:0(?=\/|$)/, `:${port}`));
    return await over;
  } finally {
    await workers.stop(longestStopMs(settings));
  }
}

const longestStopMs = ({ services: { stopDelaySeconds = 0 } }: ReadSettings): number =>
  stopDelaySeconds * 1000 + DRAIN_MS + RELEASE_MS;

/** Disconnects a worker: its process runs while it is connected to the one that started it. */
function leave(exitCode: number): number {
  cluster.worker?.disconnect();
  return exitCode;
}
