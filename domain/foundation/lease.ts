import type { Timers } from '../../ports/system.ts';
import { DomainError } from './errors.ts';

/** The right of one request to work on something alone. It ends by itself when the process dies. */
export interface Lease {
  /** The id of the request that works, known to no other. */
  owner: string;
  /** Milliseconds since the epoch. */
  until: number;
}

/** How long a lease lasts without being renewed, in milliseconds: so long others wait for a process that died. */
export const LEASE_MS = 15_000;
const RENEW_MS = 5000;
/** Two minutes of work; all its outbound calls have deadlines far below. */
const MAX_RENEWALS = 24;

/** Whether a request works under the lease at `now`. */
export const isLeased = (lease: Lease | undefined, now: number): lease is Lease =>
  lease !== undefined && now < lease.until;

/** The error for a request that finds a lease held: it may come again when the lease ends unless renewed. */
export const busy = ({ until }: Pick<Lease, 'until'>, now: number): DomainError =>
  new DomainError('Busy', 'Another request is working on this; try again later', {
    retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)),
  });

/** Does the work and renews its lease meanwhile. A renewal that fails is tried again; what was lost shows at the end. */
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
