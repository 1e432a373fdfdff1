/** What a span says: values from closed sets and numbers, never from input. */
export type SpanFacts = Readonly<Record<string, string | number>>;

/** A step of work under way. */
export interface Span {
  /** Adds what became known of it, and renames it. */
  note(facts: SpanFacts, name?: string): void;
}

/** How a span begins. */
export interface SpanStart {
  name: string;
  kind: 'server' | 'client';
  facts?: SpanFacts;
  /** The headers of the request that the work is for: they may name the span above it (W3C Trace Context). */
  from?: Readonly<Record<string, string | string[] | undefined>>;
}

/** Traces, as OpenTelemetry has them. A trace that fails does not stop the work. */
export interface Tracing {
  /** Does `work` as a span below the one under way; only one of kind `server` begins without one. */
  span<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>;
  /** The headers that name the span under way to another server (W3C Trace Context); none outside of spans. */
  headers(): Record<string, string>;
}

const UNSEEN: Span = { note: () => undefined };

/** Traces nothing. */
export const NO_TRACING: Tracing = { span: (_start, work) => work(UNSEEN), headers: () => ({}) };
