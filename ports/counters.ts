/** The key that requests are counted by; different keys are independent (interface: Limits). */
export interface CounterKey {
  /** The name of a section of `rate-limit.conf`. */
  section: string;
  /** The dotted path of the service that is called; '' for a service of the whole installation. */
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

/** The allowance of a key. Without `backoff` failures are not counted and no key is blocked. */
export interface LimitRule {
  requestsPerMinute: number;
  backoff?: BackoffRule;
}

/** The decision on one request. */
export interface Admission {
  outcome: 'admitted' | 'refused' | 'blocked';
  /** Requests that would still be admitted at once after this one. */
  remaining: number;
  /** Milliseconds after which the request would be admitted; 0 when it is. */
  waitMs: number;
  /** Milliseconds until `remaining` next grows, or until the request would be admitted. */
  resetMs: number;
}

/** Counts requests and failures by key. Each call is one atomic step. */
export interface Counters {
  /** Decides on a request now, and records it only when it is admitted. */
  admit(key: CounterKey, rule: LimitRule): Promise<Admission>;
  /** Records a failure now unless the key is blocked; the failure that reaches the threshold blocks it. */
  fail(key: CounterKey, rule: LimitRule): Promise<void>;
}
