import 'reflect-metadata';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Container, ContainerModule } from 'inversify';
import type { Settings } from '../adapters/config/settings.ts';
import { loadContract } from '../adapters/http/document.ts';
import { buildRouter } from '../adapters/http/router.ts';
import { buildApplication } from '../adapters/http/server.ts';
import { Sources } from '../adapters/http/sources.ts';
import { isDomainError, reasonOf } from '../domain/errors.ts';
import { readProxies } from '../domain/network/source-address.ts';
import type { Log } from '../ports/log.ts';
import { AREAS, type Resolve, SYSTEM } from './areas.ts';
import { foundationModule, GuardT, PrometheusT, type Replacements } from './foundation.ts';
import { LimitStoreT, limitsModule, RateLimitsT } from './limits.ts';
import { DOCUMENTS } from './root.ts';
import { SealedStoreT, storeModule } from './stores.ts';
import { LogT } from './tokens.ts';

/** A server that takes requests. */
export interface Running {
  url: string;
  /** The port it listens on, which the public URL need not name. */
  port: number;
  settings: Settings;
  /** Finishes the requests under way, then lets everything go; after `graceMs` what is left is cut off. */
  close(graceMs?: number): Promise<void>;
}

const DRAIN_MS = 8000;

/** Listens, wires the enabled services and serves. @throws Error when the port is taken or the store cannot be opened */
export async function start(configured: Settings, replacements: Replacements = {}): Promise<Running> {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 15_000 });
  await listen(server, configured);
  const settings = { ...configured, publicUrl: withPort(configured.publicUrl, server) };
  // Requests that come in before everything is wired wait for it.
  const wired = wire(settings, replacements);
  server.on('request', (request, response) =>
    wired.then(({ handle }) => handle(request, response)).catch(() => response.destroy()),
  );
  try {
    const { release, log, opened } = await wired;
    await opened.catch(async (error) => {
      await release();
      throw error;
    });
    const { port } = server.address() as AddressInfo;
    log.info('listening', { url: settings.publicUrl, port });
    return { url: settings.publicUrl, port, settings, close: (graceMs) => drain(server, graceMs).then(release) };
  } catch (error) {
    server.close();
    server.closeAllConnections();
    throw error;
  }
}

interface Wired {
  handle: RequestListener;
  release: () => Promise<void>;
  log: Log;
  /** Resolves when the stores were tried; requests are served meanwhile, those that need no store at once. */
  opened: Promise<unknown>;
}

async function wire(settings: Settings, replacements: Replacements): Promise<Wired> {
  const container = new Container();
  const areas = settings.services.services.map((name) => AREAS[name]);
  const modules = [
    await storeModule(settings, replacements.wrapStore),
    foundationModule(settings, replacements),
    limitsModule,
    ...areas.flatMap(({ modules }) => modules),
  ];
  for (const load of modules) container.load(new ContainerModule(load));
  const resolve: Resolve = (token) => container.get(token.id);
  const store = resolve(SealedStoreT);
  const limitStore = resolve(LimitStoreT);
  const opened = Promise.all([store.checkKey().catch(unlessDown(resolve(LogT))), limitStore.open()]);
  opened.catch(() => undefined);
  const documents = [...SYSTEM.documents, ...areas.flatMap((area) => area.documents)];
  const { enabled: features } = settings.features;
  const contract = await loadContract({ folder: DOCUMENTS, documents, features, publicUrl: settings.publicUrl });
  const handlers = Object.assign(SYSTEM.handlers(resolve, contract), ...areas.map((area) => area.handlers(resolve)));
  const { publicUrl } = settings;
  const { corsOrigins, trustedProxies } = settings.services;
  const router = buildRouter({
    contract,
    handlers,
    sessions: SYSTEM.sessions(resolve, settings.services.services),
    origins: { publicUrl, corsOrigins },
    limits: resolve(RateLimitsT),
  });
  const log = resolve(LogT);
  const app = buildApplication({
    router,
    sources: new Sources(readProxies(trustedProxies)),
    corsOrigins,
    log,
    metrics: resolve(PrometheusT),
  });
  const release = async () => {
    await resolve(GuardT).close();
    limitStore.close();
    await store.close();
  };
  return { handle: app.callback(), release, log, opened };
}

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
  return publicUrl.replace(/:0$/, `:${(server.address() as AddressInfo).port}`);
}

async function drain(server: Server, graceMs = DRAIN_MS): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
}
