import type { MonotonicClock } from '../../../ports/system.ts';
import { inTime } from '../../system/deadline.ts';

/** Consecutive failures that open the circuit. */
const FAILURES_TO_OPEN = 3;
/** How long an open circuit refuses calls, in milliseconds; after that one call may try. */
const OPEN_MS = 5000;

/** Circuit breaker with a time limit for each call. */
export class CircuitBreaker {
  #failures = 0;
  #isOpen = false;
  #nextTry = 0;

  constructor(
    private readonly parts: {
      monotonicClock: MonotonicClock;
      /** Time limit of a call, in milliseconds. */
      timeoutMs: number;
      /** Called each time the circuit opens or closes. */
      changed(isOpen: boolean, reason?: unknown): void;
    },
  ) {}

  /** Returns the outcome of the call; undefined when it fails, takes too long or the circuit is open. */
  async call<T>(call: () => Promise<T>): Promise<{ value: T } | undefined> {
    if (this.#isOpen && !this.#mayTry()) return undefined;
    try {
      const value = await inTime(call(), this.parts.timeoutMs);
      this.#succeeded();
      return { value };
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  #mayTry(): boolean {
    const now = this.parts.monotonicClock.now();
    if (now < this.#nextTry) return false;
    this.#nextTry = now + OPEN_MS;
    return true;
  }

  #succeeded(): void {
    this.#failures = 0;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.parts.changed(false);
  }

  #failed(reason: unknown): void {
    this.#failures += 1;
    if (this.#isOpen || this.#failures < FAILURES_TO_OPEN) return;
    this.#isOpen = true;
    this.#nextTry = this.parts.monotonicClock.now() + OPEN_MS;
    this.parts.changed(true, reason);
  }
}
