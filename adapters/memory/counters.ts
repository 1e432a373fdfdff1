import { fingerprint } from '../../domain/foundation/bytes.ts';
import type { Admission, CounterKey, Counters, LimitRule } from '../../ports/counters.ts';
import type { MonotonicClock } from '../../ports/system.ts';
import { SectionWindows } from './section-windows.ts';

/** Keys of one section that are counted separately; further ones share one count. */
const CAPACITY = 100_000;

/** Counts within this process: about 15 MB for a section with the maximum of keys and up to 30 requests each. */
export class MemoryCounters implements Counters {
  readonly #sections = new Map<string, SectionWindows>();

  constructor(
    private readonly monotonicClock: MonotonicClock,
    private readonly capacity = CAPACITY,
  ) {}

  async admit(key: CounterKey, rule: LimitRule): Promise<Admission> {
    return this.#section(key, rule).admit(nameOf(key), rule, this.#now());
  }

  async fail(key: CounterKey, rule: LimitRule): Promise<void> {
    this.#section(key, rule).fail(nameOf(key), rule, this.#now());
  }

  /** Returns the decision on a request without recording it. */
  peek(key: CounterKey, rule: LimitRule): Admission {
    return this.#section(key, rule).check(nameOf(key), rule, this.#now());
  }

  /** Records a decision that another process made. */
  mirror(key: CounterKey, rule: LimitRule, { outcome, waitMs }: Admission): void {
    const now = this.#now();
    const section = this.#section(key, rule);
    if (outcome === 'admitted') section.record(nameOf(key), now);
    if (outcome === 'blocked') section.block(nameOf(key), now + waitMs, now);
  }

  #section({ section }: CounterKey, { requestsPerMinute }: LimitRule): SectionWindows {
    const known = this.#sections.get(section);
    if (known) return known;
    const counters = new SectionWindows(this.capacity, requestsPerMinute);
    this.#sections.set(section, counters);
    return counters;
  }

  #now = (): number => Math.floor(this.monotonicClock.now());
}

/** Length of the digest that replaces a longer name. */
const LONGEST_TARGET = 43;

/** The name of a key, unique in its section because a source has no `|`; a separate text for each part would take more memory. */
function nameOf({ target, source }: CounterKey): string {
  if (target === '') return source;
  return `${target.length > LONGEST_TARGET ? `#${fingerprint(target)}` : target}|${source}`;
}
