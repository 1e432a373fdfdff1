import type { Clock } from '../../ports/system.ts';

/** The size of a bucket and how fast it fills. */
interface BucketRule {
  size: number;
  perSecond: number;
}

/** Bounds how often something is done: at once as often as the size of the bucket says, on average by its rate. */
export class TokenBucket {
  #left: number;
  #filledAt: number;

  constructor(
    private readonly rule: BucketRule,
    private readonly clock: Clock,
  ) {
    this.#left = rule.size;
    this.#filledAt = clock.now();
  }

  /** Whether it may be done now once more; then that is counted. */
  take(): boolean {
    const now = this.clock.now();
    const seconds = Math.max(0, now - this.#filledAt) / 1000;
    this.#left = Math.min(this.rule.size, this.#left + seconds * this.rule.perSecond);
    this.#filledAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
