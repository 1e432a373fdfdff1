import { fingerprint } from '../../domain/foundation/bytes.ts';
import type { Admission, CounterKey, Counters, LimitRule } from '../../ports/counters.ts';
import type { MonotonicClock } from '../../ports/system.ts';
import { SectionWindows } from './section-windows.ts';

/** How many keys of one section are told apart before new ones are limited together. */
const CAPACITY = 100_000;

/** Counts within this process, at most about 15 MB for each section that is full of keys with up to 30 requests. */
export class MemoryCounters implements Counters {
  readonly #monotonicClock: MonotonicClock;
  readonly #capacity: number;
  readonly #sections = new Map<string, SectionWindows>();

  constructor(monotonicClock: MonotonicClock, capacity = CAPACITY) {
    this.#monotonicClock = monotonicClock;
    this.#capacity = capacity;
  }

  async admit(key: CounterKey, rule: LimitRule): Promise<Admission> {
    return this.#section(key, rule).admit(nameOf(key), rule, this.#now());
  }

  async fail(key: CounterKey, rule: LimitRule): Promise<void> {
    this.#section(key, rule).fail(nameOf(key), rule, this.#now());
  }

  /** The decision on a request, which is not recorded. */
  peek(key: CounterKey, rule: LimitRule): Admission {
    return this.#section(key, rule).check(nameOf(key), rule, this.#now());
  }

  /** Takes over a decision that was made elsewhere, so as to go on from it. */
  mirror(key: CounterKey, rule: LimitRule, { outcome, waitMs }: Admission): void {
    const now = this.#now();
    const section = this.#section(key, rule);
    if (outcome === 'admitted') section.record(nameOf(key), now);
    if (outcome === 'blocked') section.block(nameOf(key), now + waitMs, now);
  }

  #section({ section }: CounterKey, { requestsPerMinute }: LimitRule): SectionWindows {
    const known = this.#sections.get(section);
    if (known) return known;
    const counters = new SectionWindows(this.#capacity, requestsPerMinute);
    this.#sections.set(section, counters);
    return counters;
  }

  #now = (): number => Math.floor(this.#monotonicClock.now());
}

/** As long as the digest that stands for a longer one. */
const LONGEST_TARGET = 43;

/** A source has no `|`, so no two keys of a section have the same name; a text of its own would cost more memory. */
function nameOf({ target, source }: CounterKey): string {
  if (target === '') return source;
  return `${target.length > LONGEST_TARGET ? `#${fingerprint(target)}` : target}|${source}`;
}
