import 'reflect-metadata';
import cluster from 'node:cluster';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Container, ContainerModule } from 'inversify';
import type { Settings } from '../adapters/config/settings.ts';
import { buildApplication } from '../adapters/http/application.ts';
import { ClientAddresses } from '../adapters/http/client-addresses.ts';
import { CONNECTION_TIMEOUTS, limitConnections } from '../adapters/http/connection-limits.ts';
import { Connections } from '../adapters/http/connections.ts';
import { type JoinedDocument, loadContract } from '../adapters/http/document.ts';
import { isDomainError, reasonOf } from '../domain/foundation/errors.ts';
import { readProxies } from '../domain/network/client-address.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import { LimitStoreT, limitsModule, RateLimitsT } from './limits.ts';
import { PlatformT, platformModule } from './platform.ts';
import { DOCUMENT } from './root.ts';
import { type Resolve, SERVICES, SYSTEM } from './services.ts';
import { type FaultKind, faultLine } from './stop-reasons.ts';
import { StoreT, storeModule } from './stores.ts';
import { systemModule, type TestOverrides } from './system.ts';

/** A server that takes requests. */
export interface Running {
  url: string;
  /** The port it listens on, which the public URL need not name. */
  port: number;
  settings: Settings;
  /** Finishes the requests under way, then lets everything go; after `graceMs` what is left is cut off. */
  close(graceMs?: number): Promise<void>;
  /** Logs and counts an error that nothing handled. */
  reportFault(kind: FaultKind, error: unknown): void;
}

/** How long requests under way may take when the server stops, in milliseconds. */
export const DRAIN_MS = 8000;

/** Listens, wires the enabled services and serves. @throws Error when the port is taken or the store cannot be opened */
export async function start(configured: Settings, replacements: TestOverrides = {}): Promise<Running> {
  const { idleTimeout, ...timeouts } = replacements.timeouts ?? CONNECTION_TIMEOUTS;
  const server = createServer(timeouts).setTimeout(idleTimeout);
  const connections = new Connections(server);
  // A worker that cannot be wired must not take requests from the others.
  const isWiredFirst = cluster.isWorker && configured.port !== 0;
  if (!isWiredFirst) await listen(server, configured);
  const settings = { ...configured, publicUrl: withPort(configured.publicUrl, server) };
  // Requests that come in before everything is wired wait for it.
  const wired = wire(settings, replacements, connections);
  server.on('request', (request, response) =>
    wired.then(({ handle }) => handle(request, response)).catch(() => response.destroy()),
  );
  try {
    const { release, log, opened, reportFault } = await wired;
    limitConnections(server, { maxConnections: settings.services.maxConnections, log });
    await opened
      .then(() => (isWiredFirst ? listen(server, configured) : undefined))
      .catch(async (error) => {
        await release();
        throw error;
      });
    const { port } = server.address() as AddressInfo;
    log.info('listening', { url: settings.publicUrl, port });
    const delayMs = settings.services.stopDelaySeconds * 1000;
    const close = (graceMs = DRAIN_MS) => connections.drain({ delayMs, graceMs }).then(release);
    return { url: settings.publicUrl, port, settings, close, reportFault };
  } catch (error) {
    server.close();
    server.closeAllConnections();
    throw error;
  }
}

interface Application extends Pick<Running, 'reportFault'> {
  handle: RequestListener;
  release: () => Promise<void>;
  log: Log;
  /** Resolves when the stores were tried; requests are served meanwhile, those that need no store at once. */
  opened: Promise<unknown>;
}

async function wire(settings: Settings, replacements: TestOverrides, connections: Connections): Promise<Application> {
  const container = new Container();
  const areas = settings.services.services.map((name) => SERVICES[name]);
  const modules = [
    await storeModule(settings, replacements.wrapStore),
    systemModule(settings, replacements),
    platformModule(replacements),
    limitsModule,
    ...areas.map(({ wiring }) => wiring),
  ];
  for (const load of modules) container.load(new ContainerModule(load));
  const resolve: Resolve = (token) => container.get(token.id);
  const [opening, limitStore, platform] = [resolve(StoreT), resolve(LimitStoreT), resolve(PlatformT)];
  const { log, metrics } = platform;
  const release = async () => {
    await platform.outbound.close();
    limitStore.close();
    await platform.store.close();
  };
  const claimed = opening.claim();
  const checked = claimed.then(() => opening.checkKey()).catch(unlessDown(log));
  const opened = Promise.all([checked, limitStore.open()]);
  opened.catch(() => undefined);
  try {
    const joined = replacements.document ?? (JSON.parse(await readFile(DOCUMENT, 'utf8')) as JoinedDocument);
    const handle = await buildHandler(settings, { resolve, connections, joined });
    return { handle, release, log, opened, reportFault: faultReport(log, metrics) };
  } catch (error) {
    await release();
    throw error;
  }
}

/** What the handler is built from, beside the settings. */
interface HandlerParts {
  resolve: Resolve;
  connections: Connections;
  joined: JoinedDocument;
}

async function buildHandler(
  settings: Settings,
  { resolve, connections, joined }: HandlerParts,
): Promise<RequestListener> {
  const areas = settings.services.services.map((name) => SERVICES[name]);
  const documents = [...areas.flatMap((area) => area.documents), ...SYSTEM.documents];
  const { enabled: features } = settings.features;
  const { publicUrl } = settings;
  const contract = await loadContract({ joined, documents, features, publicUrl });
  const system = SYSTEM.handlers(resolve, contract, connections);
  const handlers = Object.assign(system, ...areas.map((area) => area.handlers(resolve)));
  const { corsOrigins, trustedProxies } = settings.services;
  return buildApplication({
    contract,
    handlers,
    sessions: SYSTEM.sessions(resolve, settings.services.services),
    origins: { publicUrl, corsOrigins },
    limits: resolve(RateLimitsT),
    sources: new ClientAddresses(readProxies(trustedProxies)),
    ...resolve(PlatformT),
  }).callback();
}

const faultReport =
  (log: Log, metrics: Metrics): Running['reportFault'] =>
  (kind, error) => {
    log.error(...faultLine(kind, error));
    metrics.unhandledError(kind);
  };

/** A store that is down is no reason not to start: the server is not ready until it is there. */
const unlessDown =
  (log: Log) =>
  (error: unknown): void => {
    if (!isDomainError(error, 'StoreUnavailable')) throw error;
    log.warn('started without the store, which is tried again on use', { reason: reasonOf(error) });
  };

const listen = (server: Server, { host, port }: Settings): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** Port 0 asks the system for a free one, which the public URL then names. */
function withPort(publicUrl: string, server: Server): string {
  return publicUrl.replace(/:0$/, () => `:${(server.address() as AddressInfo).port}`);
}
