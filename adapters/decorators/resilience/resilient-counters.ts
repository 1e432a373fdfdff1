import { reasonOf } from '../../../domain/foundation/errors.ts';
import { WINDOW_MS } from '../../../domain/limits/rate-limit.ts';
import type { Admission, CounterKey, Counters, LimitRule } from '../../../ports/counters.ts';
import type { Log } from '../../../ports/log.ts';
import type { MonotonicClock } from '../../../ports/system.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

/** Counters of this process that can follow decisions made elsewhere. */
interface LocalCounters extends Counters {
  /** Returns the decision on a request without recording it. */
  peek(key: CounterKey, rule: LimitRule): Admission;
  /** Records a decision that was made by the shared counters. */
  mirror(key: CounterKey, rule: LimitRule, admission: Admission): void;
}

/** A decision that takes longer is made without the store. */
const TIMEOUT_MS = 250;

/**
 * Counts in the shared store or, while it does not answer, in this process by the same rules (decisions §9). The local
 * counters mirror every shared decision, so that the loss of the store grants no new allowance. For one window after the
 * store is back both must admit a request, so that its return grants none either.
 */
export class ResilientCounters implements Counters {
  readonly #circuit: CircuitBreaker;
  #lastLocalAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly parts: {
      /** Counts for all instances. */
      shared: Counters;
      local: LocalCounters;
      monotonicClock: MonotonicClock;
      log: Log;
    },
  ) {
    const { monotonicClock, log } = parts;
    this.#circuit = new CircuitBreaker({
      monotonicClock,
      timeoutMs: TIMEOUT_MS,
      changed: (isOpen, why) => report(log, isOpen, why),
    });
  }

  async admit(key: CounterKey, rule: LimitRule): Promise<Admission> {
    const { shared, local, monotonicClock } = this.parts;
    if (monotonicClock.now() - this.#lastLocalAt < WINDOW_MS) {
      const known = local.peek(key, rule);
      if (known.outcome !== 'admitted') return known;
    }
    const answer = await this.#circuit.call(() => shared.admit(key, rule));
    if (answer) {
      local.mirror(key, rule, answer.value);
      return answer.value;
    }
    this.#lastLocalAt = monotonicClock.now();
    return local.admit(key, rule);
  }

  async fail(key: CounterKey, rule: LimitRule): Promise<void> {
    const { shared, local } = this.parts;
    if (!rule.backoff) return;
    await local.fail(key, rule);
    await this.#circuit.call(() => shared.fail(key, rule));
  }
}

function report(log: Log, isOpen: boolean, reason: unknown): void {
  if (isOpen)
    log.warn('rate limits are counted in this process: their store does not answer', { reason: reasonOf(reason) });
  else log.info('rate limits are counted in their store again');
}
