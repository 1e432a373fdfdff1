import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Dispatcher, request } from 'undici';
import { readSettings } from '../../../adapters/config/read-settings.ts';
import type { Settings, StoreSettings } from '../../../adapters/config/settings.ts';
import { CONNECTION_TIMEOUTS } from '../../../adapters/http/messages/connection-limits.ts';
import type { Operation } from '../../../adapters/http/messages/document.ts';
import { start } from '../../../composition/commands/start.ts';
import type { Overrides } from '../../../composition/platform/system.ts';
import { placeOf, type Call as ServiceCall } from '../../../demo/services.ts';
import type { Log } from '../../../ports/log.ts';
import type { Store } from '../../../ports/store.ts';
import { checkAnswer, operationAt, operationOf, sharedContract } from '../documents/contract.ts';
import { type Message, noteExchange } from '../documents/exchanges.ts';
import { LOGIN, sharedPostgres } from '../stores/postgres.ts';
import { addressesOf, sharedCluster, sharedNode } from '../stores/redis.ts';
import { noting } from '../stores/store-operations.ts';
import { testCa } from '../trust/certificates.ts';

type DeepPartial<T> = T extends unknown[] ? T : T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;

export type TestStore = 'memory' | 'sqlite' | 'redis' | 'redis-cluster' | 'postgresql';

/** The options of a test server. */
export interface ServerOptions {
  settings?: DeepPartial<Settings>;
  /** The environment's TEST_STORE when absent, so that every test can be run on every store; else memory. */
  store?: TestStore;
  dataDir?: string;
  wrapStore?: (store: Store) => Store;
  timeouts?: Overrides['timeouts'];
  /** Milliseconds for an outbound call, where a test waits for the end of that time; else as in production. */
  outboundTimeoutMs?: number;
  /** Rows added to the table of formats. */
  formats?: Overrides['formats'];
  telemetry?: Overrides['telemetry'];
}

/** One call by operationId. At most one of `json`, `lines`, `form` and `text` is the body. */
export interface Call extends ServiceCall {
  /** JSON values, one a line. */
  lines?: readonly unknown[];
  contentType?: string;
  cookie?: string;
}

/** A request as it is; a body without a media type is plain text. */
export interface Plain {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Aborted when the client leaves. */
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any answer
  body: any;
}

/** Log lines of a test server, for those tests that look for secrets in them. */
export interface LogLine {
  level: keyof Log;
  message: string;
  fields: Record<string, unknown>;
}

/** A server on a free port with a clock that only the test moves. */
export interface TestServer {
  url: string;
  settings: Settings;
  clock: { now(): number; advance(ms: number): void };
  lines: LogLine[];
  call(operationId: string, call?: Call): Promise<Answer>;
  /** Sends a request to a path of this server; its answer is validated too. */
  fetch(path: string, init?: Plain): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * Starts a server for the tests of the enclosing `describe` and closes it after them; its members are set once they run.
 * Options that are known only when the tests run are passed as a function.
 */
export function useServer(options: ServerOptions | (() => Promise<ServerOptions>) = {}): TestServer {
  const server = {} as TestServer;
  before(async () => {
    Object.assign(server, await startServer(typeof options === 'function' ? await options() : options));
  });
  after(() => server.close?.());
  return server;
}

/** A machine that holds test and server up for seconds would else close a connection while a request is on its way. */
const PATIENT = { ...CONNECTION_TIMEOUTS, keepAliveTimeout: 60_000 };

/** Starts a server for a test, with x5c login and reachable loopback addresses. */
export async function startServer({
  settings = {},
  store = storeOfRun(),
  dataDir,
  wrapStore,
  timeouts = PATIENT,
  outboundTimeoutMs,
  formats,
  telemetry,
}: ServerOptions = {}): Promise<TestServer> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'credenza-')));
  const defaults = await readSettings({ CONFIG_DIR: join(folder, 'config'), DATA_DIR: folder, PORT: '0' });
  const ca = await testCa();
  const base: DeepPartial<Settings> = {
    store: await storeSettings(store, folder),
    features: { enabled: ['trusted-ca', 'external-signature-endpoints', 'rejectionreason'], trustedCa: true },
    trustedCa: { certificates: [ca.pem] },
    outbound: { allow: ['127.0.0.0/8', 'localhost'] },
    // Tests log in often, so hashes are cheap; the tests of the limits set their own cost.
    auth: { password: { scryptLogN: 10 } },
    rateLimit: {
      wallet_auth_endpoint: { requestsPerMinute: 100_000 },
      enterprise_auth_endpoint: { requestsPerMinute: 100_000 },
      audit_endpoint: { requestsPerMinute: 100_000 },
      superadmin_create_by_token_endpoint: { requestsPerMinute: 100_000 },
      issuer2_token_endpoint: { requestsPerMinute: 100_000 },
      issuer2_credential_endpoint: { requestsPerMinute: 100_000 },
      verifier2_request_endpoint: { requestsPerMinute: 100_000 },
      verifier2_response_endpoint: { requestsPerMinute: 100_000 },
    },
  };
  const clock = movableClock();
  const lines: LogLine[] = [];
  const wrap = wrapStore ?? ((store) => store);
  const mayFail = wrapStore !== undefined || settings.store !== undefined;
  const running = await start(merge(merge<Settings>(defaults, base), settings), {
    clock,
    monotonicClock: { now: clock.elapsed },
    timers: clock,
    log: collect(lines),
    wrapStore: (store) => wrap(noting(store)),
    timeouts,
    outboundTimeoutMs,
    formats,
    telemetry,
    checkedContract: sharedContract,
  });
  // An instance with its own port is called there, not at the public URL that all instances share, and so is one whose public URL leads nowhere.
  const isCalled = running.settings.port === 0 && new URL(running.url).hostname === '127.0.0.1';
  const url = isCalled ? running.url : `http://127.0.0.1:${running.port}`;
  return {
    url,
    settings: running.settings,
    clock,
    lines,
    call: async (operationId, call = {}) => {
      const answer = await callOperation(url, operationId, call);
      // Fails at the faulty call with its cause, not at a later check.
      if (isOurFault(answer) && !mayFail) throw new Error(`${operationId}: ${answer.status} ${faultIn(lines)}`);
      return answer;
    },
    fetch: (path, init) => plainFetch(url, path, init),
    close: async () => {
      await running.close(0);
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A 503 with Retry-After is part of the contract. */
const isOurFault = ({ status, headers }: Answer): boolean =>
  status === 500 || (status === 503 && !headers.has('retry-after'));

const faultIn = (lines: LogLine[]): string => JSON.stringify(lines.findLast(({ level }) => level === 'error'));

function storeOfRun(): TestStore {
  const { TEST_STORE = 'memory' } = process.env;
  if (!(TEST_STORE in STORES)) throw new Error(`TEST_STORE must be one of ${Object.keys(STORES).join(', ')}`);
  return TEST_STORE as TestStore;
}

/** Servers with the same data folder share a store; all others have their own. */
const STORES: Record<TestStore, () => Promise<DeepPartial<StoreSettings>>> = {
  memory: async () => ({ type: 'memory' }),
  sqlite: async () => ({ type: 'sqlite' }),
  redis: async () => ({ type: 'kvstore', nodes: addressesOf([await sharedNode()]) }),
  'redis-cluster': async () => ({ type: 'kvstore-cluster', nodes: addressesOf((await sharedCluster()).nodes) }),
  postgresql: async () => ({ type: 'postgresql', nodes: addressesOf([await sharedPostgres()]), ...LOGIN }),
};

const storeSettings = async (store: TestStore, folder: string): Promise<DeepPartial<StoreSettings>> => ({
  ...(await STORES[store]()),
  keyPrefix: `${basename(folder)}:`,
  schema: basename(folder),
});

function movableClock() {
  const started = Date.now();
  let passed = 0;
  const timers = new Set<{ due: number; ms: number; work: () => void }>();
  return {
    now: () => started + passed,
    elapsed: () => passed,
    /** Runs each timer that becomes due at its time. */
    advance: (ms: number) => {
      const end = passed + ms;
      for (;;) {
        const [next] = [...timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
        if (!next) break;
        passed = next.due;
        next.due += next.ms;
        next.work();
      }
      passed = end;
    },
    every: (ms: number, work: () => void) => {
      const timer = { due: passed + ms, ms, work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
}

function collect(lines: LogLine[]): Log {
  const write =
    (level: keyof Log) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      lines.push({ level, message, fields });
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

function merge<T>(base: T, over: unknown): T {
  const isPlain = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isPlain(base) || !isPlain(over)) return (over === undefined ? base : over) as T;
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) merged[name] = merge(merged[name], value);
  return merged as T;
}

async function callOperation(url: string, operationId: string, call: Call): Promise<Answer> {
  const operation = await operationOf(operationId);
  const [body, type] = bodyOf(call);
  const headers: Record<string, string> = { ...(type ? { 'content-type': type } : {}), ...call.headers };
  if (call.token !== undefined) headers.authorization = `Bearer ${call.token}`;
  if (call.cookie !== undefined) headers.cookie = call.cookie;
  // The tests call thousands of times, and the `fetch` of Node takes five times as long.
  const method = operation.method as Dispatcher.HttpMethod;
  const response = await request(`${url}${placeOf(operation, call)}`, {
    method,
    headers: { accept: '*/*', ...headers },
    body,
  });
  const answer = parsed(await response.body.text(), {
    status: response.statusCode,
    headers: headersOf(response.headers),
    operation,
  });
  check(operation, answer, { body, type });
  return answer;
}

function headersOf(received: Record<string, string | string[] | undefined>): Headers {
  const pairs = Object.entries(received).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => [name, value]),
  );
  return new Headers(pairs as [string, string][]);
}

/** Validates an answer, and records the exchange when it was successful, which a redirect is too. */
function check(operation: Operation, answer: Answer, { body, type }: { body: unknown; type?: string }): void {
  const typed = { ...answer, type: typeOf(answer) };
  checkAnswer(operation, typed);
  if (answer.status < 400) noteExchange(operation, messageOf(body, type), typed);
}

/** A request body parsed by its media type; a link that is labelled as JSON stays a text. */
function messageOf(text: unknown, contentType: string | undefined): Message | undefined {
  if (typeof text !== 'string' || contentType === undefined) return undefined;
  const type = contentType.split(';')[0]?.trim() ?? '';
  if (type === 'application/x-www-form-urlencoded')
    return { type, body: Object.fromEntries(new URLSearchParams(text)) };
  if (type === LINES_TYPE) return { type, body: valuesOf(text) };
  return { type, body: type === 'application/json' ? jsonOr(text) : text };
}

const LINES_TYPE = 'application/x-ndjson';

/** The values of a text with one on each line. */
const valuesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(jsonOr);

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function bodyOf({ json, lines, form, text, contentType }: Call): [string | undefined, string | undefined] {
  if (lines) return [lines.map((value) => `${JSON.stringify(value)}\n`).join(''), LINES_TYPE];
  if (json !== undefined) return [JSON.stringify(json), contentType ?? 'application/json'];
  if (form !== undefined)
    return [new URLSearchParams(form).toString(), contentType ?? 'application/x-www-form-urlencoded'];
  return [text, text === undefined ? contentType : (contentType ?? 'text/plain')];
}

async function plainFetch(
  url: string,
  path: string,
  { method = 'GET', body, signal, ...init }: Plain = {},
): Promise<Answer> {
  const operation = await operationAt(method, path.split('?')[0] ?? '');
  const headers: Record<string, string> = { accept: '*/*', ...Object.fromEntries(new Headers(init.headers)) };
  if (typeof body === 'string') headers['content-type'] ??= 'text/plain;charset=UTF-8';
  const response = await request(`${url}${path}`, { method: method as Dispatcher.HttpMethod, headers, body, signal });
  const received = { status: response.statusCode, headers: headersOf(response.headers) };
  const answer = parsed(await textOf(response), { ...received, operation });
  if (operation) check(operation, answer, { body, type: headers['content-type'] });
  return answer;
}

/** The text of an answer, which may be compressed. */
async function textOf({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  if (headers['content-encoding'] !== 'gzip') return body.text();
  return gunzipSync(await body.bytes()).toString();
}

/** Parses JSON, also in a text that the document declares to contain JSON. */
function parsed(
  text: string,
  { status, headers, operation }: Pick<Answer, 'status' | 'headers'> & { operation?: Operation },
): Answer {
  if (headers.get('content-type') === LINES_TYPE) return { status, headers, body: valuesOf(text) };
  const isJson = /json/.test(headers.get('content-type') ?? '') || holdsJson(operation, status);
  return { status, headers, body: isJson && text !== '' ? JSON.parse(text) : text };
}

function holdsJson(operation: Operation | undefined, status: number): boolean {
  const { content = {} } = operation?.responses[status] ?? operation?.responses.default ?? {};
  const text = content['text/plain'] as { schema?: { contentMediaType?: string } } | undefined;
  return text?.schema?.contentMediaType === 'application/json';
}

const typeOf = ({ headers }: Answer): string => (headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
