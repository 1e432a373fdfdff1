import { inTime } from '../../../domain/foundation/deadline.ts';
import type { MonotonicClock } from '../../../ports/system.ts';

/** So many failures in a row mean that there is no use in asking. */
const FAILURES_TO_OPEN = 3;
/** How long nobody asks then; after that one call may try. */
const OPEN_MS = 5000;

/** What a circuit is told to do. */
export interface CircuitBreakerParts {
  monotonicClock: MonotonicClock;
  /** How long an answer may take. */
  timeoutMs: number;
  /** Called once each time the other side is given up or found again. */
  changed(isOpen: boolean, reason?: unknown): void;
}

/** Calls somebody who may be slow or gone, without waiting long or often for him (circuit breaker). */
export class CircuitBreaker {
  readonly #parts: CircuitBreakerParts;
  #failures = 0;
  #isOpen = false;
  #nextTry = 0;

  constructor(parts: CircuitBreakerParts) {
    this.#parts = parts;
  }

  /** The outcome of the call; undefined when there is none in time, or when nobody asks at present. */
  async call<T>(call: () => Promise<T>): Promise<{ value: T } | undefined> {
    if (this.#isOpen && !this.#mayTry()) return undefined;
    try {
      const value = await inTime(call(), this.#parts.timeoutMs);
      this.#succeeded();
      return { value };
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  #mayTry(): boolean {
    const now = this.#parts.monotonicClock.now();
    if (now < this.#nextTry) return false;
    this.#nextTry = now + OPEN_MS;
    return true;
  }

  #succeeded(): void {
    this.#failures = 0;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#parts.changed(false);
  }

  #failed(reason: unknown): void {
    this.#failures += 1;
    if (this.#isOpen || this.#failures < FAILURES_TO_OPEN) return;
    this.#isOpen = true;
    this.#nextTry = this.#parts.monotonicClock.now() + OPEN_MS;
    this.#parts.changed(true, reason);
  }
}
