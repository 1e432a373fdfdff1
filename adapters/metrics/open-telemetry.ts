import type { Attributes, Context, Meter, Tracer } from '@opentelemetry/api';
import type { Log } from '../../ports/log.ts';
import type { Span, SpanFacts, SpanStart, Tracing } from '../../ports/tracing.ts';
import { inTime } from '../system/deadline.ts';
import { BUCKETS, INSTRUMENTS, type InstrumentName, type Sink } from './instruments.ts';

/** Traces and measurements that leave by OTLP. */
export interface Telemetry {
  tracing: Tracing;
  sink: Sink;
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>;
}

/** What a collector learns of the process, and where failures are logged. */
interface Reporter {
  version: string;
  /** Of this process alone. */
  instance: string;
  log: Pick<Log, 'warn'>;
}

type Environment = Readonly<Record<string, string | undefined>>;

type Library = typeof import('@opentelemetry/sdk-node');
type Api = Library['api'];

const NAME = 'credenza';
const CLOSE_MS = 2000;
/** What a log line has of a failure of the library, in characters. */
const DETAIL = 200;

/**
 * Starts what the standard variables of OpenTelemetry ask for, once in a process; undefined when they name no endpoint of a
 * collector, and then nothing is loaded. @throws Error that says what to install
 */
export async function openTelemetry(environment: Environment, reporter: Reporter): Promise<Telemetry | undefined> {
  const has = (signal: string): boolean =>
    !!(environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] || environment.OTEL_EXPORTER_OTLP_ENDPOINT);
  const isDisabled = environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true';
  if (isDisabled || !(has('TRACES') || has('METRICS'))) return undefined;
  const { api, core, resources, NodeSDK } = await library();
  const { version, instance, log } = reporter;
  const own = { 'service.name': NAME, 'service.version': version, 'service.instance.id': instance };
  const sdk = new NodeSDK({
    resource: resources.defaultResource().merge(resources.resourceFromAttributes(own)),
    // Others read the command line and the machine.
    resourceDetectors: [resources.envDetector],
    textMapPropagator: new core.W3CTraceContextPropagator(),
    logRecordProcessors: [],
    ...(!has('TRACES') && { spanProcessors: [] }),
    ...(!has('METRICS') && { metricReaders: [] }),
  });
  const warn = (detail: string): void => log.warn('telemetry failed', { detail: detail.slice(0, DETAIL) });
  const silent = (): void => undefined;
  const logger = { error: warn, warn, info: silent, debug: silent, verbose: silent };
  api.diag.setLogger(logger, { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true });
  sdk.start();
  const close = (): Promise<void> => inTime(sdk.shutdown(), CLOSE_MS).catch(({ message }: Error) => warn(message));
  return { tracing: new OpenTelemetryTracing(api, version), sink: sinkOf(api.metrics.getMeter(NAME, version)), close };
}

const library = (): Promise<Library> =>
  import('@opentelemetry/sdk-node').catch((cause: Error) => {
    throw new Error(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, and @opentelemetry/sdk-node cannot be loaded: ${cause.message}. Install ` +
        '@opentelemetry/api and @opentelemetry/sdk-node; with Node 20 their versions 1.9 and 0.223',
      { cause },
    );
  });

/** Each measurement as one of OpenTelemetry, under the name that it has in `/metrics`. */
function sinkOf(meter: Meter): Sink {
  const instruments = Object.entries(INSTRUMENTS).map(([name, { kind, help }]) => {
    if (kind === 'counter') {
      const counter = meter.createCounter(`${NAME}_${name}`, { description: help });
      return [name, (value: number, labels: Attributes) => counter.add(value, labels)] as const;
    }
    const advice = { explicitBucketBoundaries: BUCKETS };
    const histogram = meter.createHistogram(`${NAME}_${name}`, { description: help, unit: 's', advice });
    return [name, (value: number, labels: Attributes) => histogram.record(value, labels)] as const;
  });
  const adding = Object.fromEntries(instruments) as Record<InstrumentName, (value: number, of: Attributes) => void>;
  return (name, value, labels) => adding[name](value, labels);
}

const STATUS = 'http.response.status_code';
/** From which status on a span of a kind failed (OpenTelemetry's semantic conventions for HTTP spans). */
const FAILED_FROM: Record<SpanStart['kind'], number> = { server: 500, client: 400 };

class OpenTelemetryTracing implements Tracing {
  readonly #tracer: Tracer;

  constructor(
    private readonly api: Api,
    version: string,
  ) {
    this.#tracer = api.trace.getTracer(NAME, version);
  }

  async span<T>({ name, kind, facts, from }: SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
    const { context, trace, SpanKind, SpanStatusCode } = this.api;
    if (kind !== 'server' && !trace.getSpan(context.active())) return work({ note: () => undefined });
    const above = from ? this.#named(from) : context.active();
    const options = { kind: kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT, attributes: { ...facts } };
    const span = this.#tracer.startSpan(name, options, above);
    const fail = (): void => void span.setStatus({ code: SpanStatusCode.ERROR });
    const note = (more: SpanFacts, renamed?: string): void => {
      span.setAttributes({ ...more });
      if (renamed) span.updateName(renamed);
      if (Number(more[STATUS]) >= FAILED_FROM[kind]) fail();
    };
    try {
      return await context.with(trace.setSpan(above, span), () => work({ note }));
    } catch (error) {
      fail();
      throw error;
    } finally {
      span.end();
    }
  }

  headers(): Record<string, string> {
    const { context, propagation } = this.api;
    const carrier: Record<string, string> = {};
    propagation.inject(context.active(), carrier);
    const { traceparent } = carrier;
    return traceparent ? { traceparent } : {};
  }

  /** Without `tracestate`, in which a caller may write anything, and which would be sent on. */
  #named({ traceparent }: Record<string, string | string[] | undefined>): Context {
    const { propagation, ROOT_CONTEXT } = this.api;
    return propagation.extract(ROOT_CONTEXT, typeof traceparent === 'string' ? { traceparent } : {});
  }
}
