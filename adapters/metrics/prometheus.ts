import cluster from 'node:cluster';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics } from '../../ports/metrics.ts';
import { BUCKETS, INSTRUMENTS, type InstrumentName, type Labels, type Sink } from './instruments.ts';
import { countAmongWorkers } from './workers.ts';

type Observed = Record<InstrumentName, { add(value: number, labels: Record<string, string | number>): void }>;

/** Metrics for Prometheus, with one registry per server, so that several can run in one process; `more` has each value too. */
export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #instruments = instrumentsIn(this.#registry);
  readonly #ask: () => Promise<string>;

  constructor(private readonly more?: Sink) {
    this.#ask = cluster.isWorker ? countAmongWorkers(this.#registry) : () => this.#registry.metrics();
  }

  request(operation: string, status: number, seconds: number): void {
    this.#add('request_seconds', seconds, { operation, status });
  }

  sessionMoved(kind: string, state: string): void {
    this.#add('sessions_total', 1, { kind, state });
  }

  outboundCall(outcome: string, seconds: number): void {
    this.#add('outbound_seconds', seconds, { outcome });
  }

  storeOperation(operation: string, outcome: string, seconds: number): void {
    this.#add('store_seconds', seconds, { operation, outcome });
  }

  cryptoOperation(operation: string, key: string): void {
    this.#add('crypto_operations_total', 1, { operation, key });
  }

  replayableLogin(): void {
    this.#add('replayable_logins_total', 1, {});
  }

  limited(section: string, outcome: string): void {
    this.#add('rate_limited_requests_total', 1, { section, outcome });
  }

  unhandledError(kind: string): void {
    this.#add('unhandled_errors_total', 1, { kind });
  }

  /** Adds what Node says of this process, and which version it runs; once, in a process of one server. */
  watchProcess(version: string): void {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    new Gauge({
      name: 'credenza_build_info',
      help: 'The version of the program and of Node; always 1',
      labelNames: ['version', 'node'],
      aggregator: 'first',
      registers,
    }).set({ version, node: process.version }, 1);
  }

  /** The exposition text; for a worker, that of all workers together. */
  expose(): Promise<string> {
    return this.#ask();
  }

  #add<N extends InstrumentName>(name: N, value: number, labels: Labels<N>): void {
    this.#instruments[name].add(value, labels);
    this.more?.(name, value, labels);
  }
}

function instrumentsIn(registry: Registry): Observed {
  const made = Object.entries(INSTRUMENTS).map(([name, { kind, help, labels }]) => {
    const options = { name: `credenza_${name}`, help, labelNames: labels as readonly string[], registers: [registry] };
    if (kind === 'counter') {
      const counter = new Counter(options);
      return [name, { add: (value, of) => counter.inc(of, value) }] satisfies [string, Observed[InstrumentName]];
    }
    const histogram = new Histogram({ ...options, buckets: BUCKETS });
    return [name, { add: (value, of) => histogram.observe(of, value) }] satisfies [string, Observed[InstrumentName]];
  });
  return Object.fromEntries(made) as Observed;
}
