import { reasonOf } from '../../domain/errors.ts';
import { WINDOW_MS } from '../../domain/rate-limit.ts';
import type { Admission, CounterKey, Counters, LimitRule } from '../../ports/counters.ts';
import type { Log } from '../../ports/log.ts';
import type { Stopwatch } from '../../ports/system.ts';
import { Circuit } from './circuit.ts';

/** Counters of this process that can follow decisions made elsewhere. */
export interface LocalCounters extends Counters {
  /** The decision on a request, which is not recorded. */
  check(key: CounterKey, rule: LimitRule): Admission;
  /** Takes over a decision that was made elsewhere. */
  note(key: CounterKey, rule: LimitRule, admission: Admission): void;
}

/** What resilient counters are made of. */
export interface ResilientParts {
  /** Counts for all instances. */
  shared: Counters;
  local: LocalCounters;
  stopwatch: Stopwatch;
  log: Log;
}

/** A decision that takes longer is made without the store. */
const TIMEOUT_MS = 250;

/**
 * Counts in the shared store and, in its absence, in this process by the same rules (decisions §9). The local counters
 * follow every shared decision, so that losing the store gives nobody a new allowance; for a window after the store
 * came back both have to agree, so that neither does that.
 */
export class ResilientCounters implements Counters {
  readonly #parts: ResilientParts;
  readonly #circuit: Circuit;
  #alone = Number.NEGATIVE_INFINITY;

  constructor(parts: ResilientParts) {
    const { stopwatch, log } = parts;
    this.#parts = parts;
    this.#circuit = new Circuit({ stopwatch, timeoutMs: TIMEOUT_MS, changed: (isOpen, why) => tell(log, isOpen, why) });
  }

  async admit(key: CounterKey, rule: LimitRule): Promise<Admission> {
    const { shared, local, stopwatch } = this.#parts;
    if (stopwatch.elapsed() - this.#alone < WINDOW_MS) {
      const known = local.check(key, rule);
      if (known.outcome !== 'admitted') return known;
    }
    const answer = await this.#circuit.ask(() => shared.admit(key, rule));
    if (answer) {
      local.note(key, rule, answer.value);
      return answer.value;
    }
    this.#alone = stopwatch.elapsed();
    return local.admit(key, rule);
  }

  async fail(key: CounterKey, rule: LimitRule): Promise<void> {
    const { shared, local } = this.#parts;
    if (!rule.backoff) return;
    await local.fail(key, rule);
    await this.#circuit.ask(() => shared.fail(key, rule));
  }
}

function tell(log: Log, isOpen: boolean, reason: unknown): void {
  if (isOpen)
    log.warn('rate limits are counted in this process: their store does not answer', { reason: reasonOf(reason) });
  else log.info('rate limits are counted in their store again');
}
