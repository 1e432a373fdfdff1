/** What is counted or measured; labels are from closed sets. */
export interface Instrument {
  kind: 'counter' | 'histogram';
  help: string;
  labels: readonly string[];
}

/** The upper bounds of histograms, in seconds. */
export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Everything that is counted or measured, by its name without the prefix `credenza_`; another one is another row. */
export const INSTRUMENTS = {
  request_seconds: {
    kind: 'histogram',
    help: 'Requests by operation and status, with their duration',
    labels: ['operation', 'status'],
  },
  sessions_total: {
    kind: 'counter',
    help: 'Sessions by kind and by the state they reached',
    labels: ['kind', 'state'],
  },
  outbound_seconds: {
    kind: 'histogram',
    help: 'Calls to other servers by outcome, with their duration',
    labels: ['outcome'],
  },
  store_seconds: {
    kind: 'histogram',
    help: 'Operations of the database by outcome, with their duration',
    labels: ['operation', 'outcome'],
  },
  crypto_operations_total: {
    kind: 'counter',
    help: 'Signatures made and checked and keys generated, by key type or algorithm',
    labels: ['operation', 'key'],
  },
  replayable_logins_total: {
    kind: 'counter',
    help: 'x5c logins with a token that could be used again',
    labels: [],
  },
  rate_limited_requests_total: {
    kind: 'counter',
    help: 'Requests to limited endpoints by section and by what was decided',
    labels: ['section', 'outcome'],
  },
  unhandled_errors_total: {
    kind: 'counter',
    help: 'Errors that nothing handled, by kind; each ends its process',
    labels: ['kind'],
  },
} as const satisfies Record<string, Instrument>;

/** The name of a row. */
export type InstrumentName = keyof typeof INSTRUMENTS;

/** The labels of a row with their values. */
export type Labels<N extends InstrumentName> = Record<(typeof INSTRUMENTS)[N]['labels'][number], string | number>;

/** Where measurements go beside `/metrics`. */
export type Sink = <N extends InstrumentName>(name: N, value: number, labels: Labels<N>) => void;
