import type { Admission, BackoffRule } from '../../ports/counters.ts';

/** The length of the sliding window of `requestsPerMinute`, in milliseconds. */
export const WINDOW_MS = 60_000;

/** The state of a sliding window, in milliseconds from now. */
export interface WindowState {
  /** `requestsPerMinute` */
  limit: number;
  /** Requests admitted in (now − 60 s, now]. */
  live: number;
  /** Time until another request can be admitted; 0 when fewer than `limit` are live. */
  msUntilCapacity: number;
  /** Time until the block ends; 0 or less for none. */
  blockMs: number;
  /** Time until the oldest of them leaves the window; the length of the window when there is none. */
  oldestMs: number;
}

/** A request is admitted if fewer than `limit` were in the last 60 seconds and its key is not blocked (decisions §9). */
export function decide({ limit, live, msUntilCapacity: roomMs, blockMs, oldestMs }: WindowState): Admission {
  const waitMs = Math.max(roomMs, blockMs, 0);
  if (waitMs === 0) return { outcome: 'admitted', remaining: limit - live - 1, waitMs, resetMs: oldestMs };
  return { outcome: blockMs > 0 ? 'blocked' : 'refused', remaining: 0, waitMs, resetMs: waitMs };
}

/** Milliseconds until a request of `time` leaves the window: (now − 60 s, now] is open at its old end. */
export const msUntilExpiry = (time: number, now: number): number => time + WINDOW_MS - now;

/** The failures of a key. */
export interface Backoff {
  /** When they happened, oldest first. */
  failures: readonly number[];
  blockedUntil: number;
}

/** Records a failure at `now`; the failure that reaches the threshold within the window starts the block. */
export function recordFailure({ failures, blockedUntil }: Backoff, rule: BackoffRule, now: number): Backoff {
  if (blockedUntil > now) return { failures, blockedUntil };
  const counted = [...failures.filter((time) => time > now - rule.windowSeconds * 1000), now];
  if (counted.length < rule.threshold) return { failures: counted, blockedUntil: 0 };
  return { failures: [], blockedUntil: now + rule.blockSeconds * 1000 };
}

/** The smallest whole number of seconds, at least 1, that covers a wait (`Retry-After`, RFC 9110 §10.2.3). */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
