import 'reflect-metadata';
import cluster from 'node:cluster';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Settings } from '../../adapters/config/settings.ts';
import { CONNECTION_TIMEOUTS, limitConnections, STREAM_BYTES } from '../../adapters/http/messages/connection-limits.ts';
import { Connections } from '../../adapters/http/messages/connections.ts';
import type { Log } from '../../ports/log.ts';
import { DRAIN_MS, type FaultKind } from '../platform/stop-reasons.ts';
import type { Overrides } from '../platform/system.ts';
import { type Application, createApplication } from './application.ts';

/** A server that takes requests. */
export interface Running {
  url: string;
  /** The port it listens on, which the public URL need not name. */
  port: number;
  settings: Settings;
  /** Finishes the requests under way, then closes stores and connections; after `graceMs` the last requests are cut off. */
  close(graceMs?: number): Promise<void>;
  log: Log;
  /** Takes over what it follows of other settings: all of it, or nothing. @throws Error naming the field that is wrong */
  follow(next: Settings): void;
  /** Measures this process, too; for a process of one server. */
  watchProcess(): void;
  /** Logs and counts an error that nothing handled. */
  reportFault(kind: FaultKind, error: unknown): void;
}

/** Listens, wires the enabled services and serves. @throws Error when the port is taken or the store cannot be opened */
export async function start(configured: Settings, overrides: Overrides = {}): Promise<Running> {
  const server = createHttpServer(overrides);
  const places = [
    { ...configured, server },
    ...(configured.admin ? [{ ...configured.admin, server: createHttpServer(overrides), isAdmin: true }] : []),
  ];
  const servers = places.map(({ server }) => server);
  const connections = new Connections(servers);
  // A worker that cannot be wired must not take requests from the others.
  const listensLast = cluster.isWorker && configured.port !== 0;
  try {
    if (!listensLast) await listenAt(places);
    const settings = { ...configured, publicUrl: withPort(configured.publicUrl, server) };
    const creating = createApplication({ settings, overrides, connections });
    serveWhenCreated(servers, creating);
    const application = await creating;
    const { maxConnections } = settings.services;
    for (const one of servers) limitConnections(one, { maxConnections, log: application.log });
    await application.opened.catch(releasing(application));
    if (listensLast) await listenAt(places).catch(releasing(application));
    return running({ server, settings, connections, application });
  } catch (error) {
    for (const one of servers) {
      one.close();
      one.closeAllConnections();
    }
    throw error;
  }
}

function createHttpServer({ timeouts = CONNECTION_TIMEOUTS }: Overrides): Server {
  const { idleTimeout, ...others } = timeouts;
  return createServer({ ...others, highWaterMark: STREAM_BYTES }).setTimeout(idleTimeout);
}

/** Requests that arrive before the application is created wait for it; later ones are handled before their bodies arrive. */
function serveWhenCreated([server, admin]: readonly Server[], creating: Promise<Application>): void {
  let created: Application | undefined;
  creating.then(
    (application) => {
      created = application;
    },
    () => undefined,
  );
  const serve =
    (listenerOf: (application: Application) => RequestListener | undefined): RequestListener =>
    async (request, response) => {
      try {
        await listenerOf(created ?? (await creating))?.(request, response);
      } catch {
        response.destroy();
      }
    };
  server?.on(
    'request',
    serve(({ handle }) => handle),
  );
  admin?.on(
    'request',
    serve(({ handleManagement }) => handleManagement),
  );
}

const releasing =
  ({ release }: Application) =>
  async (error: unknown): Promise<never> => {
    await release();
    throw error;
  };

interface RunningParts {
  server: Server;
  settings: Settings;
  connections: Connections;
  application: Application;
}

function running({ server, settings, connections, application }: RunningParts): Running {
  const { release, ...offered } = application;
  const { publicUrl: url, services } = settings;
  const { port } = server.address() as AddressInfo;
  offered.log.info('listening', { url, port, ...(settings.admin && { admin: settings.admin }) });
  const delayMs = (services.stopDelaySeconds ?? 0) * 1000;
  const close = (graceMs = DRAIN_MS) => connections.drain({ delayMs, graceMs }).then(release);
  return { ...offered, url, port, settings, close };
}

/** What an operator does where a server cannot listen, by the code of the system, and which setting says where. */
const ADVICE: Readonly<Record<string, readonly [advice: string, setting: 'port' | 'host']>> = {
  EADDRINUSE: ['another program listens there. Stop that one, or choose another port with', 'port'],
  EACCES: ['this user may not. Choose a port from 1024 on with', 'port'],
  EADDRNOTAVAIL: ['this machine does not have the address. Choose another with', 'host'],
  ENOTFOUND: ['there is no such host. Choose another with', 'host'],
};

/** Where requests are taken. */
interface Place {
  host: string;
  port: number;
  server: Server;
  /** Whether those of management only. */
  isAdmin?: boolean;
}

function explained({ host, port, isAdmin }: Place, cause: NodeJS.ErrnoException): Error {
  const [advice, setting] = ADVICE[cause.code ?? ''] ?? [];
  if (advice === undefined || setting === undefined) return cause;
  const name = setting.toUpperCase();
  const chosen = isAdmin ? `CREDENZA_ADMIN_${name}` : `--${setting} or CREDENZA_${name}`;
  return new Error(`Cannot listen on ${host}:${port} (${cause.code}): ${advice} ${chosen}`, { cause });
}

const listenAt = (places: readonly Place[]): Promise<unknown> => Promise.all(places.map(listen));

const listen = (place: Place): Promise<void> =>
  new Promise((resolve, reject) => {
    const { server, host, port } = place;
    server.once('error', (error) => reject(explained(place, error)));
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });

/** Port 0 asks the system for a free one, which the public URL then names. */
function withPort(publicUrl: string, server: Server): string {
  return publicUrl.replace(/:0(?=\/|$)/, () => `:${(server.address() as AddressInfo).port}`);
}
