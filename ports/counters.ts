/** Whose requests are counted together: those of different keys never touch each other (interface: Limits). */
export interface CounterKey {
  /** The name of a section of `rate-limit.conf`. */
  section: string;
  /** The dotted path of the service that is called; '' where the whole installation has one. */
  target: string;
  /** The canonical source address. */
  source: string;
}

/** When failures lead to a block (interface: Limits). */
export interface BackoffRule {
  windowSeconds: number;
  threshold: number;
  blockSeconds: number;
}

/** What a key is allowed. Without `backoff` failures are not counted and nothing is ever blocked. */
export interface LimitRule {
  requestsPerMinute: number;
  backoff?: BackoffRule;
}

/** The decision on one request. */
export interface Admission {
  outcome: 'admitted' | 'refused' | 'blocked';
  /** How many more would be admitted at once after this one. */
  remaining: number;
  /** Milliseconds after which the request would be admitted; 0 when it is. */
  waitMs: number;
  /** Milliseconds until `remaining` next grows, or until the request would be admitted. */
  resetMs: number;
}

/** Counts requests and failures by key. Each call is one atomic step. */
export interface Counters {
  /** Decides on a request now, and records it when it is admitted; one that is not leaves no trace. */
  admit(key: CounterKey, rule: LimitRule): Promise<Admission>;
  /** Records a failure now, unless the key is blocked; the one that reaches the threshold blocks it. */
  fail(key: CounterKey, rule: LimitRule): Promise<void>;
}
