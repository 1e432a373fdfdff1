import { type Backoff, decide, msUntilExpiry, recordFailure, WINDOW_MS } from '../../domain/limits/rate-limit.ts';
import type { Admission, LimitRule } from '../../ports/counters.ts';
import { ExpiringMap } from './expiring-map.ts';
import { SlidingWindowLogs } from './sliding-window-logs.ts';

interface KeptBackoff extends Backoff {
  /** When the entry expires, in milliseconds. */
  until: number;
}

/** Logs for up to this many times are allocated at full size, so that they never move to a larger block. */
const LARGEST_START = 32;

const NO_BACKOFF: KeptBackoff = { failures: [], blockedUntil: 0, until: 0 };

/** The name shared by all keys beyond the capacity: they are limited together. */
const OVERFLOW = '';

/** The logs of one section's keys by name. Times are whole milliseconds and never decrease. */
export class SectionWindows {
  readonly #rings: SlidingWindowLogs;
  readonly #requests: ExpiringMap<number>;
  readonly #backoffs: ExpiringMap<KeptBackoff>;

  /** `capacity` is the number of keys that are counted separately, `limit` the usual allowance of each. */
  constructor(capacity: number, limit: number) {
    this.#rings = new SlidingWindowLogs(Math.min(limit, LARGEST_START));
    this.#requests = new ExpiringMap({
      capacity,
      isOver: (ring, now) => this.#rings.live(ring, now) === 0,
      release: (ring) => this.#rings.release(ring),
    });
    this.#backoffs = new ExpiringMap({ capacity, isOver: ({ until }, now) => until <= now });
  }

  /** Number of names under which requests are counted. */
  get size(): number {
    return this.#requests.size;
  }

  /** Returns the decision on a request without recording it. */
  check(wanted: string, rule: LimitRule, now: number): Admission {
    return this.#decide(this.#counted(wanted, now), rule, now);
  }

  admit(wanted: string, rule: LimitRule, now: number): Admission {
    const name = this.#counted(wanted, now);
    const admission = this.#decide(name, rule, now);
    if (admission.outcome === 'admitted') this.#rings.push(this.#ring(name), now);
    return admission;
  }

  /** Records a request that the shared counters admitted. */
  record(wanted: string, now: number): void {
    const ring = this.#ring(this.#counted(wanted, now));
    this.#rings.live(ring, now);
    this.#rings.push(ring, now);
  }

  fail(wanted: string, rule: LimitRule, now: number): void {
    if (!rule.backoff) return;
    const name = this.#counted(wanted, now);
    const known = this.#backoffs.get(name);
    const place = known || this.#backoffs.hasRoom(now) ? name : OVERFLOW;
    const next = recordFailure(this.#backoffs.get(place) ?? NO_BACKOFF, rule.backoff, now);
    this.#backoffs.set(place, { ...next, until: Math.max(next.blockedUntil, now + rule.backoff.windowSeconds * 1000) });
  }

  /** Blocks a name that the shared counters blocked. */
  block(wanted: string, blockedUntil: number, now: number): void {
    const name = this.#counted(wanted, now);
    if (name !== OVERFLOW) this.#backoffs.set(name, { failures: [], blockedUntil, until: blockedUntil });
  }

  #decide(name: string, { requestsPerMinute: limit, backoff }: LimitRule, now: number): Admission {
    const blockMs = backoff ? (this.#backoffs.get(name)?.blockedUntil ?? 0) - now : 0;
    const ring = this.#requests.get(name);
    const live = ring === undefined ? 0 : this.#rings.live(ring, now);
    if (ring === undefined || live === 0)
      return decide({ limit, live, msUntilCapacity: 0, blockMs, oldestMs: WINDOW_MS });
    const roomMs = live < limit ? 0 : msUntilExpiry(this.#rings.at(ring, live - limit), now);
    return decide({
      limit,
      live,
      msUntilCapacity: roomMs,
      blockMs,
      oldestMs: msUntilExpiry(this.#rings.at(ring, 0), now),
    });
  }

  #counted(name: string, now: number): string {
    if (this.#requests.get(name) !== undefined || this.#backoffs.get(name) !== undefined) return name;
    return this.#requests.hasRoom(now) ? name : OVERFLOW;
  }

  #ring(name: string): number {
    const known = this.#requests.get(name);
    if (known !== undefined) return known;
    const ring = this.#rings.claim();
    this.#requests.set(name, ring);
    return ring;
  }
}
