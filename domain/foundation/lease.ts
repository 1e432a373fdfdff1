import type { Timers } from '../../ports/system.ts';
import { DomainError } from './errors.ts';

/** The exclusive right of one request to change a record. It expires when the process dies. */
export interface Lease {
  /** The id of the request, unknown to all others. */
  owner: string;
  /** Milliseconds since the epoch. */
  until: number;
}

/** How long a lease lasts without renewal, in milliseconds; others wait this long for a process that died. */
export const LEASE_MS = 15_000;
const RENEW_MS = 5000;
/** Two minutes of work; all its outbound calls have deadlines far below. */
const MAX_RENEWALS = 24;

/** Whether a request works under the lease at `now`. */
export const isLeased = (lease: Lease | undefined, now: number): lease is Lease =>
  lease !== undefined && now < lease.until;

/** The error for a request that meets another's lease. Most are over in a second, when the other request has its answer. */
export const busy = (): DomainError =>
  new DomainError('Busy', 'Another request is working on this; try again later', { retryAfterSeconds: 1 });

/** Runs the work and renews its lease meanwhile. A failed renewal is retried; a lost lease is detected at the end. */
export async function underLease<T>(timers: Timers, renew: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  let renewals = 0;
  let renewing: Promise<unknown> = Promise.resolve();
  const stop = timers.every(RENEW_MS, () => {
    if (++renewals <= MAX_RENEWALS) renewing = renewing.then(renew).catch(() => undefined);
  });
  try {
    return await work();
  } finally {
    stop();
    await renewing;
  }
}
