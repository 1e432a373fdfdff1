import type { LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { Agent } from 'undici';
import { DomainError, type ErrorCode } from '../../domain/foundation/errors.ts';
import { type AllowEntry, parseAllowEntry } from '../../domain/network/addresses.ts';
import type { DocumentKind } from '../../ports/documents.ts';
import { DOCUMENTS } from '../../ports/documents.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { ClientIdentity, Outbound, OutboundReply, OutboundRequest } from '../../ports/outbound.ts';
import { NO_TRACING, type Span, type Tracing } from '../../ports/tracing.ts';
import { AddressRules, checkedLookup } from './address-rules.ts';
import { firstHop, type Hop, nextHop } from './hops.ts';
import { readReply } from './reply-body.ts';

const TIMEOUT_MS = 5000;
const MAX_REDIRECTS = 3;
const MAX_CONNECTIONS_PER_ORIGIN = 64;

/** Dependencies of the guard. */
interface GuardOptions {
  /** The entries of `outbound.conf`. */
  allow: string[];
  /** The URLs of the operator's own endpoints, which may be called for one kind of document only. */
  endpoints?: Partial<Record<DocumentKind, readonly string[]>>;
  /** Certificates of authorities, as PEM, that are believed besides those of the system, for one kind of document only. */
  authorities?: Partial<Record<DocumentKind, string>>;
  /** Our own base URL, which only our wallet may call. */
  publicUrl: string;
  metrics: Metrics;
  tracing?: Tracing;
  /** Milliseconds for a call that states no limit of its own; `TIMEOUT_MS` where absent. */
  timeoutMs?: number;
  /** Replaces the resolver of the system. */
  resolve?: LookupFunction;
}

/** The library of all calls, which is loaded by the first. */
type Library = typeof import('undici');

/** The rules of some purposes and their connections, which no other purpose uses; none before the first call. */
interface Route extends ClientIdentity {
  rules: AddressRules;
  agent?: Agent;
}

interface Limits {
  signal: AbortSignal;
  timeoutMs: number;
  maxBytes: number;
}

type CallOutcome = Parameters<Metrics['outboundCall']>[0];

const OUTCOMES: Partial<Record<ErrorCode, CallOutcome>> = {
  AddressRefused: 'refused',
  BadRequest: 'refused',
  UpstreamTimeout: 'timeout',
};

/** Makes every outbound call: only to permitted addresses, within a deadline and a size (decisions §12). */
export class GuardedOutbound implements Outbound {
  readonly #metrics: Metrics;
  readonly #tracing: Tracing;
  readonly #timeoutMs: number;
  readonly #own: Route;
  readonly #foreign: Route;
  readonly #operator: ReadonlyMap<DocumentKind, Route>;
  readonly #resolve: LookupFunction | undefined;

  /** @throws Error naming outbound.conf when an entry of `allow` cannot be read */
  constructor(options: GuardOptions) {
    const { tracing = NO_TRACING, timeoutMs = TIMEOUT_MS, resolve, ...reached } = options;
    const { allow, endpoints = {}, authorities = {}, publicUrl, metrics } = reached;
    const entries = allow.map(parseAllowEntry);
    const route = (reachesOwnOrigin: boolean, more: readonly string[] = []): Route => {
      const allowed = [...entries, ...more.map(endpointEntry)];
      return { rules: new AddressRules({ allow: allowed, publicUrl, reachesOwnOrigin }) };
    };
    this.#metrics = metrics;
    this.#tracing = tracing;
    this.#timeoutMs = timeoutMs;
    this.#resolve = resolve;
    this.#own = route(true);
    this.#foreign = route(false);
    const kinds = Object.entries(endpoints) as [DocumentKind, readonly string[]][];
    this.#operator = new Map(
      kinds.map(([kind, urls]) => [kind, { ...route(false, urls), authorities: authorities[kind] }]),
    );
  }

  check({ expects, url }: Pick<OutboundRequest, 'expects' | 'url'>): void {
    this.#route(expects).rules.checkUrl(new URL(url));
  }

  send(request: OutboundRequest): Promise<OutboundReply> {
    const { method, expects } = request;
    const facts = { 'http.request.method': method, 'credenza.document': expects };
    return this.#tracing.span({ name: method, kind: 'client', facts }, (span) => this.#measured(request, span));
  }

  async #measured(request: OutboundRequest, span: Span): Promise<OutboundReply> {
    const startedAt = performance.now();
    let outcome: CallOutcome = 'answered';
    try {
      const reply = await this.#follow(request);
      span.note({ 'http.response.status_code': reply.status });
      return reply;
    } catch (error) {
      outcome = (error instanceof DomainError && OUTCOMES[error.code]) || 'unreachable';
      throw error;
    } finally {
      this.#metrics.outboundCall(outcome, (performance.now() - startedAt) / 1000);
    }
  }

  /** Waits for the current calls, then closes all connections. */
  async close(): Promise<void> {
    const routes = [this.#own, this.#foreign, ...this.#operator.values()];
    await Promise.all(routes.map(({ agent }) => agent?.close()));
  }

  #route(expects: DocumentKind): Route {
    return this.#operator.get(expects) ?? (DOCUMENTS[expects].reachesOwnOrigin ? this.#own : this.#foreign);
  }

  async #follow(request: OutboundRequest): Promise<OutboundReply> {
    const library = await import('undici');
    const timeoutMs = request.timeoutMs ?? this.#timeoutMs;
    const most = DOCUMENTS[request.expects].maxBytes;
    const maxBytes = Math.min(most, request.maxBytes ?? most);
    const limits = { signal: AbortSignal.timeout(timeoutMs), timeoutMs, maxBytes };
    const route = this.#route(request.expects);
    if (!request.identity) {
      route.agent ??= connectBy(route, library, this.#resolve);
      return this.#hops(request, { ...route, library }, limits);
    }
    const own = { ...route, ...request.identity };
    const agent = connectBy(own, library, this.#resolve);
    return this.#hops(request, { ...own, agent, library }, limits).finally(() => agent.close());
  }

  async #hops(request: OutboundRequest, route: Route & { library: Library }, limits: Limits): Promise<OutboundReply> {
    let hop = firstHop({ ...request, headers: { ...request.headers, ...this.#tracing.headers() } });
    const maxRedirects = DOCUMENTS[request.expects].followsRedirects ? MAX_REDIRECTS : 0;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const result = await exchange(hop, route, limits).catch((error: unknown) => {
        throw wrap(error, hop.url.host, limits);
      });
      if ('reply' in result) return result.reply;
      hop = result.next;
    }
    throw new DomainError('UpstreamFailed', `The call ended at ${hop.url.host} after ${maxRedirects} redirects`);
  }
}

/** The operator's endpoint as an entry that is allowed by being configured. */
function endpointEntry(endpoint: string): AllowEntry {
  const { hostname, port, protocol } = new URL(endpoint);
  return parseAllowEntry(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`);
}

/** Connections to addresses that the rules permit. */
const connectBy = (
  { rules, authorities, certificates: cert, privateKey: key }: Route,
  { Agent, Pool }: Library,
  resolve: LookupFunction | undefined,
): Agent => {
  const trust = {
    ...(authorities !== undefined && { ca: [...rootCertificates, authorities] }),
    ...(key !== undefined && { cert, key }),
  };
  return new Agent({
    connections: MAX_CONNECTIONS_PER_ORIGIN,
    factory: (origin, options) => {
      const lookup = checkedLookup(rules, new URL(origin), resolve);
      return new Pool(origin, { ...options, connect: { lookup, timeout: TIMEOUT_MS, ...trust } });
    },
  });
};

async function exchange(
  hop: Hop,
  { rules, agent, library }: Route & { library: Library },
  { signal, maxBytes }: Limits,
): Promise<{ reply: OutboundReply } | { next: Hop }> {
  rules.checkUrl(hop.url);
  const { method, url, headers, body = null } = hop;
  const calling = library.request(url, { method, headers, body, signal, dispatcher: agent });
  const reply = await Promise.race([calling, aborted(signal)]);
  const status = reply.statusCode;
  const { 'content-encoding': coding = '', ...received } = flatten(reply.headers);
  // A body that is not read ends its stream with an error.
  reply.body.on('error', () => {});
  try {
    const next = nextHop(hop, { status, location: received.location });
    if (next) return { next };
    const bytes = await readReply({ host: url.host, chunks: reply.body, coding, maxBytes });
    return { reply: { status, headers: received, body: bytes } };
  } finally {
    if (!reply.body.readableEnded) reply.body.destroy();
  }
}

/** Rejects when the signal aborts, since a call that is still connecting ignores the signal. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

/** The port's error for a network failure; the cause, which may name addresses, is for the log. */
function wrap(cause: unknown, host: string, { signal, timeoutMs }: Limits): DomainError {
  if (cause instanceof DomainError) return cause;
  if (signal.aborted) return new DomainError('UpstreamTimeout', `${host} did not answer in ${timeoutMs} ms`, { cause });
  return new DomainError('UpstreamFailed', `${host} cannot be reached or broke off`, { cause });
}
