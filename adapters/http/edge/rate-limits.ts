import { DomainError } from '../../../domain/foundation/errors.ts';
import { WINDOW_MS, wholeSeconds } from '../../../domain/limits/rate-limit.ts';
import { isSourceOf } from '../../../domain/network/client-address.ts';
import type { IpRange } from '../../../domain/network/ip.ts';
import { isTarget } from '../../../domain/tenancy/access/targets.ts';
import type { Admission, CounterKey, Counters, LimitRule } from '../../../ports/counters.ts';
import type { Operation } from '../messages/document.ts';
import { isFailure } from './failures.ts';

/** Counts limited requests. */
interface LimitMetrics {
  limited(section: string, outcome: Admission['outcome']): void;
}

/** The sources that some sections do not limit. */
interface Exemption {
  sections: ReadonlySet<string>;
  sources: readonly IpRange[];
}

/** The rules by section; undefined for a section that is off. Some spare the operator's own networks. */
export type LimitRules = Readonly<Record<string, (LimitRule & { sparesLocal?: boolean }) | undefined>>;

/** What the limit of a request depends on. */
interface LimitedRequest {
  operation: Operation;
  /** Its canonical source. */
  source: string;
  /** Whether it is of a network of the operator. */
  isLocal: boolean;
  /** The `{target}` of its path; undefined where there is none. */
  target: string | undefined;
}

/** The decision on a request. */
export interface RateLimitDecision {
  /** The `RateLimit` headers of the answer. */
  headers: Record<string, string>;
  /** `TooManyRequests`, when the request is not admitted. */
  refusal?: DomainError;
  /** Does work for the request; its failure may count towards a block. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** The decision where no limit applies. */
export const UNLIMITED: RateLimitDecision = { headers: {}, run: (work) => work() };

/** The limits of the operations that name a section of `rate-limit.conf` (interface: Limits). */
export class RateLimits {
  constructor(
    private readonly parts: {
      counters: Counters;
      /** The rules by the names that operations give in `x-rate-limit`. */
      rules: LimitRules;
      metrics: LimitMetrics;
      /** Absent where no source is exempt. */
      exempt?: Exemption;
    },
  ) {}

  /** Decides whether a request is admitted. */
  async check(request: LimitedRequest): Promise<RateLimitDecision> {
    const { operation, source, isLocal, target = '' } = request;
    const { rateLimit: section } = operation;
    if (section === undefined) return UNLIMITED;
    const { counters, metrics, exempt } = this.parts;
    const rule = this.ruleOf(section);
    const isExempt = exempt?.sections.has(section) && isSourceOf(source, exempt.sources);
    if (rule === undefined || isExempt || (isLocal && rule.sparesLocal)) return UNLIMITED;
    // All malformed targets are counted as one, since no operation accepts them.
    const key = { section, target: target === '' || isTarget(target) ? target : '?', source };
    const admission = await counters.admit(key, rule);
    metrics.limited(section, admission.outcome);
    const headers = headersOf(section, rule, admission);
    const refusal = admission.outcome === 'admitted' ? undefined : refuse(section, admission);
    return { headers, refusal, run: (work) => this.#watch(key, rule, work) };
  }

  /** The rule of a section; undefined when it is off. @throws Error when the section does not exist */
  ruleOf(section: string): LimitRules[string] {
    const { rules } = this.parts;
    if (!Object.hasOwn(rules, section)) throw new Error(`There is no rate limit ${section}`);
    return rules[section];
  }

  async #watch<T>(key: CounterKey, rule: LimitRule, work: () => Promise<T>): Promise<T> {
    const { counters } = this.parts;
    try {
      const result = await work();
      if (isFailure(result)) await counters.fail(key, rule);
      return result;
    } catch (error) {
      if (isFailure(error)) await counters.fail(key, rule);
      throw error;
    }
  }
}

/** Names the section, which the operator changes: who runs both the server and a client sees this error first. */
const refuse = (section: string, { waitMs }: Admission): DomainError =>
  new DomainError('TooManyRequests', `There were too many requests; try again later (rate-limit.conf: ${section})`, {
    retryAfterSeconds: wholeSeconds(waitMs),
  });

/** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers). */
function headersOf(section: string, { requestsPerMinute }: LimitRule, admission: Admission): Record<string, string> {
  const { remaining, resetMs } = admission;
  return {
    'ratelimit-policy': `"${section}";q=${requestsPerMinute};w=${WINDOW_MS / 1000}`,
    ratelimit: `"${section}";r=${remaining};t=${wholeSeconds(resetMs)}`,
  };
}
