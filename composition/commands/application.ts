import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Container, ContainerModule } from 'inversify';
import type { Settings } from '../../adapters/config/settings.ts';
import { ClientAddresses } from '../../adapters/http/edge/client-addresses.ts';
import { ManagementToken } from '../../adapters/http/edge/management.ts';
import { buildApplication } from '../../adapters/http/edge/server.ts';
import { StrangerBounds } from '../../adapters/http/edge/stranger-bounds.ts';
import { type CheckedContract, withValidators } from '../../adapters/http/edge/validation.ts';
import type { Connections } from '../../adapters/http/messages/connections.ts';
import {
  type JoinedDocument,
  loadContract,
  type Operation,
  type ServedParts,
} from '../../adapters/http/messages/document.ts';
import { isLate as isLatePostgres } from '../../adapters/postgres/faults.ts';
import { isLate as isLateRedis } from '../../adapters/redis/faults.ts';
import { isDomainError, reasonOf } from '../../domain/foundation/errors.ts';
import { readProxies } from '../../domain/network/client-address.ts';
import type { Log } from '../../ports/log.ts';
import { LimitStoreT, limitsModule, RateLimitsT, strangerRules } from '../platform/limits.ts';
import { type Platform, PlatformT, platformModule } from '../platform/platform.ts';
import { type FaultKind, faultLine } from '../platform/stop-reasons.ts';
import { StoreT, storeModule } from '../platform/stores.ts';
import { type Overrides, systemModule } from '../platform/system.ts';
import { DOCUMENT, VERSION } from '../root.ts';
import { type Resolve, SERVICES, SYSTEM, servedDocuments } from '../services/services.ts';

/** The enabled services behind one request listener. */
export interface Application {
  handle: RequestListener;
  /** Serves the operations of management where they have a port of their own; `handle` serves them otherwise. */
  handleManagement?: RequestListener;
  log: Log;
  /** Resolves when the stores were tried; requests are served meanwhile, those that need no store at once. */
  opened: Promise<unknown>;
  /** Closes what was opened. */
  release(): Promise<void>;
  /** Takes over what it follows of other settings: all of it, or nothing. @throws Error naming the field that is wrong */
  follow(next: Settings): void;
  /** Measures this process, too; for a process of one server. */
  watchProcess(): void;
  /** Logs and counts an error that nothing handled. */
  reportFault(kind: FaultKind, error: unknown): void;
}

/** What an application is created from. */
interface ApplicationParts {
  settings: Settings;
  overrides: Overrides;
  connections: Connections;
}

/** Wires the enabled services and builds their listener; the stores are opened meanwhile. */
export async function createApplication(parts: ApplicationParts): Promise<Application> {
  const resolve = await wire(parts);
  const platform = resolve(PlatformT);
  const opened = openStores(resolve);
  const release = async (): Promise<void> => {
    await closeAll(resolve);
    await parts.overrides.telemetry?.close();
  };
  try {
    const listeners = await buildListeners(parts, resolve);
    const { log, metrics } = platform;
    const follow = (next: Settings): void => takeOver(parts.settings, next, resolve);
    const watchProcess = () => metrics.watchProcess(VERSION);
    return { ...listeners, log, opened, release, follow, watchProcess, reportFault: faultReport(platform) };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Everything is read before the first part of it counts. */
function takeOver(settings: Settings, next: Settings, resolve: Resolve): void {
  const followed = [SYSTEM, ...enabled(settings)].flatMap(({ follow }) => follow?.(resolve, next) ?? []);
  for (const take of followed) take();
}

const enabled = ({ services }: Settings) => services.services.map((name) => SERVICES[name]);

/** Wires all services, also those that are off; nothing is opened before it is resolved. */
export async function wire({
  settings,
  overrides,
}: Pick<ApplicationParts, 'settings' | 'overrides'>): Promise<Resolve> {
  const container = new Container();
  const modules = [
    await storeModule(settings, overrides.wrapStore),
    systemModule(settings, overrides),
    platformModule(overrides),
    limitsModule,
    // Of every service, also those that are off: the services of tenants work with the same parts.
    ...Object.values(SERVICES).map(({ wiring }) => wiring),
  ];
  for (const load of modules) container.load(new ContainerModule(load));
  return (token) => container.get(token.id);
}

/** For how long a start tries a store again that is slow to answer, and after which pause, in milliseconds. */
const PATIENCE_MS = 8000;
const PAUSE_MS = 100;

/** Claims the store, then checks the master key; opens the store of the limits at the same time. */
function openStores(resolve: Resolve): Promise<unknown> {
  const store = resolve(StoreT);
  const claimed = patiently(async () => {
    await store.claim();
    await store.checkKey();
  }).catch(unlessDown(resolve(PlatformT).log));
  const opened = Promise.all([claimed, resolve(LimitStoreT).open()]);
  opened.catch(() => undefined);
  return opened;
}

/** Repeats work that a slow store failed: a busy machine is no outage, and a store that must be refused is to be read first. */
async function patiently(work: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; ; await setTimeout(PAUSE_MS))
    try {
      return await work();
    } catch (error) {
      if (!(isLateRedis(error) || isLatePostgres(error)) || performance.now() >= end) throw error;
    }
}

/** Closes what was opened. */
export async function closeAll(resolve: Resolve): Promise<void> {
  const { background, keys, outbound, store } = resolve(PlatformT);
  const ended = background.close();
  await keys.close();
  await outbound.close();
  await ended;
  resolve(LimitStoreT).close();
  await store.close();
}

async function buildListeners(
  { settings, overrides, connections }: ApplicationParts,
  resolve: Resolve,
): Promise<Pick<Application, 'handle' | 'handleManagement'>> {
  const { publicUrl, features, services, wallet } = settings;
  const { management } = services;
  const documents = servedDocuments(services.services);
  const { wallet2Accounts } = wallet;
  const served = { documents, features: features.enabled, publicUrl, management, wallet2Accounts };
  const { contract, validation } = await (overrides.checkedContract ?? readContract)(served);
  const handlers = enabled(settings).map((service) => service.handlers(resolve));
  const { log, metrics, tracing, timers, clock } = resolve(PlatformT);
  const parts = {
    validation,
    handlers: Object.assign(SYSTEM.handlers(resolve, contract, connections), ...handlers),
    sessions: SYSTEM.sessions(resolve, services.services),
    admission: SYSTEM.admission(resolve, services.services),
    recorder: SYSTEM.recorder(resolve, services.services),
    origins: { publicUrl, corsOrigins: services.corsOrigins },
    limits: resolve(RateLimitsT),
    streams: { timers, connections },
    hosts: SYSTEM.hosts(resolve, services.services),
    strangers: new StrangerBounds(strangerRules(settings.rateLimit), clock),
    allowsRoles: settings.kms.kmsa.allowRoleReferences === true,
    management: management === 'token' ? new ManagementToken(services.managementToken ?? '') : undefined,
    sources: new ClientAddresses(readProxies(services.trustedProxies)),
    log,
    metrics,
    tracing,
  };
  const listener = (isServed: (operation: Operation) => boolean): RequestListener =>
    buildApplication({
      ...parts,
      contract: { ...contract, operations: contract.operations.filter(isServed) },
    }).callback();
  if (!settings.admin) return { handle: listener(() => true) };
  return {
    handle: listener(({ isManagement }) => !isManagement),
    handleManagement: listener(({ isManagement }) => isManagement),
  };
}

/** The contract of the document that the build wrote, and its validators. */
async function readContract(served: ServedParts): Promise<CheckedContract> {
  const joined = JSON.parse(await readFile(DOCUMENT, 'utf8')) as JoinedDocument;
  return withValidators(loadContract({ joined, ...served }));
}

const faultReport =
  ({ log, metrics }: Platform): Application['reportFault'] =>
  (kind, error) => {
    log.error(...faultLine(kind, error));
    metrics.unhandledError(kind);
  };

/** A server starts without a store that is down, and is not ready until the store answers. */
const unlessDown =
  (log: Log) =>
  (error: unknown): void => {
    if (!isDomainError(error, 'StoreUnavailable')) throw error;
    log.warn('started without the store, which is tried again on use', { reason: reasonOf(error) });
  };
