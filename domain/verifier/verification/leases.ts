import type { Stored } from '../../../ports/store.ts';
import type { Clock, Ids, Timers } from '../../../ports/system.ts';
import { LEASE_MS, type Lease, underLease } from '../../foundation/lease.ts';
import type { SessionRepository, StoredSession } from './repository.ts';
import { leased, released, renewed, type VerifyingSession } from './session.ts';

/** A session that this request has the lease of. */
export interface HeldSession {
  session: Stored<VerifyingSession>;
  lease: Lease;
}

/** Lets one request at a time verify a response of a session; the lease of a process that died ends by itself. */
export class ResponseLeases {
  constructor(
    private readonly parts: {
      sessions: Pick<SessionRepository, 'move'>;
      clock: Clock;
      timers: Timers;
      ids: Ids;
    },
  ) {}

  create(): Lease {
    return { owner: this.parts.ids.uuid(), until: this.parts.clock.now() + LEASE_MS };
  }

  /** Leases a session. @throws DomainError `Conflict` when it has a response, `Busy` while one is verified */
  async take(from: StoredSession): Promise<HeldSession> {
    const { sessions, clock } = this.parts;
    const lease = this.create();
    const session = await sessions.move(from, {
      change: (current) => leased(current, lease, clock.now()),
      expiresAt: untilLeaseEnds,
      events: ['attempted_presentation'],
    });
    return { session, lease };
  }

  /** Verifies under a lease. A failure to do so releases the session for the wallet's next attempt. */
  async run<R>({ session, lease }: HeldSession, verify: () => Promise<R>): Promise<R> {
    const { sessions, clock, timers } = this.parts;
    const renew = () => {
      const until = clock.now() + LEASE_MS;
      return sessions.move(session, {
        change: (current) => renewed(current, { ...lease, until }),
        expiresAt: untilLeaseEnds,
      });
    };
    try {
      return await underLease(timers, renew, verify);
    } catch (error) {
      await sessions.move(session, { change: (current) => released(current, lease) }).catch(() => undefined);
      throw error;
    }
  }
}

const untilLeaseEnds = ({ lease }: VerifyingSession, { expiresAt = 0 }: Stored<unknown>): number =>
  Math.max(expiresAt, lease.until);
