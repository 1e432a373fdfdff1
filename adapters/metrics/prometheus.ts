import cluster from 'node:cluster';
import { Counter, Histogram, Registry } from 'prom-client';
import type { Metrics } from '../../ports/metrics.ts';
import { countAmongWorkers } from './workers.ts';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Metrics for Prometheus, with one registry per server, so that several can run in one process. */
export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'operation' | 'status'>;
  readonly #sessions: Counter<'kind' | 'state'>;
  readonly #outbound: Histogram<'outcome'>;
  readonly #crypto: Counter<'operation' | 'key'>;
  readonly #replayable: Counter;
  readonly #limited: Counter<'section' | 'outcome'>;
  readonly #unhandled: Counter<'kind'>;
  readonly #ask: () => Promise<string>;

  constructor() {
    this.#ask = cluster.isWorker ? countAmongWorkers(this.#registry) : () => this.#registry.metrics();
    const registers = [this.#registry];
    const named = (name: string, help: string) => ({ name: `credenza_${name}`, help, registers });
    this.#requests = new Histogram({
      ...named('request_seconds', 'Requests by operation and status, with their duration'),
      labelNames: ['operation', 'status'],
      buckets: BUCKETS,
    });
    this.#sessions = new Counter({
      ...named('sessions_total', 'Sessions by kind and by the state they reached'),
      labelNames: ['kind', 'state'],
    });
    this.#outbound = new Histogram({
      ...named('outbound_seconds', 'Calls to other servers by outcome, with their duration'),
      labelNames: ['outcome'],
      buckets: BUCKETS,
    });
    this.#crypto = new Counter({
      ...named('crypto_operations_total', 'Signatures made and checked and keys generated, by key type or algorithm'),
      labelNames: ['operation', 'key'],
    });
    this.#replayable = new Counter(
      named('replayable_logins_total', 'x5c logins with a token that could be used again'),
    );
    this.#limited = new Counter({
      ...named('rate_limited_requests_total', 'Requests to limited endpoints by section and by what was decided'),
      labelNames: ['section', 'outcome'],
    });
    this.#unhandled = new Counter({
      ...named('unhandled_errors_total', 'Errors that nothing handled, by kind; each ends its process'),
      labelNames: ['kind'],
    });
  }

  request(operation: string, status: number, seconds: number): void {
    this.#requests.observe({ operation, status }, seconds);
  }

  sessionMoved(kind: string, state: string): void {
    this.#sessions.inc({ kind, state });
  }

  outboundCall(outcome: string, seconds: number): void {
    this.#outbound.observe({ outcome }, seconds);
  }

  cryptoOperation(operation: string, key: string): void {
    this.#crypto.inc({ operation, key });
  }

  replayableLogin(): void {
    this.#replayable.inc();
  }

  limited(section: string, outcome: string): void {
    this.#limited.inc({ section, outcome });
  }

  unhandledError(kind: string): void {
    this.#unhandled.inc({ kind });
  }

  /** The exposition text; for a worker, that of all workers together. */
  expose(): Promise<string> {
    return this.#ask();
  }
}
