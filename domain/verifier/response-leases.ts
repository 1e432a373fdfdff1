import type { Stored } from '../../ports/store.ts';
import type { Clock, Ids, Timers } from '../../ports/system.ts';
import { DomainError } from '../foundation/errors.ts';
import { LEASE_MS, type Lease, underLease } from '../foundation/lease.ts';

/** The states of a session in which its response is being verified. */
type Leased<S> = Extract<S, { lease: Lease }>;

/** A change of a session, and how long its result is stored at least, in milliseconds since the epoch. */
export interface SessionMove<S, T extends S> {
  change(session: S): T;
  expiresAt?(session: T, before: Stored<S>): number | undefined;
}

/** The sessions of one generation of the protocol, and the changes that begin and end a lease. */
export interface ResponseLeasesParts<S> {
  sessions: { move<T extends S>(from: Stored<S>, move: SessionMove<S, T>): Promise<Stored<T>> };
  clock: Clock;
  timers: Timers;
  ids: Ids;
  /** @throws DomainError when another request has the session, or it is concluded */
  lease(session: S, lease: Lease, now: number): Leased<S>;
  release(session: S, lease: Lease): S;
}

/** A session that this request has the lease of. */
export interface HeldSession<S> {
  session: Stored<Leased<S>>;
  lease: Lease;
}

/** Lets one request at a time verify a response of a session; the lease of a process that died ends by itself. */
export class ResponseLeases<S extends object> {
  readonly #parts: ResponseLeasesParts<S>;

  constructor(parts: ResponseLeasesParts<S>) {
    this.#parts = parts;
  }

  create(): Lease {
    return { owner: this.#parts.ids.uuid(), until: this.#parts.clock.now() + LEASE_MS };
  }

  /** Leases a session. @throws as `lease` */
  async take(from: Stored<S>): Promise<HeldSession<S>> {
    const lease = this.create();
    const change = (current: S) => this.#parts.lease(current, lease, this.#parts.clock.now());
    return { session: await this.#parts.sessions.move<Leased<S>>(from, { change, expiresAt: untilLeaseEnds }), lease };
  }

  /** Verifies under a lease. A failure to do so releases the session for the wallet's next attempt. */
  async run<R>({ session, lease }: HeldSession<S>, verify: () => Promise<R>): Promise<R> {
    const { sessions, clock, timers, release } = this.#parts;
    const renew = () => {
      const until = clock.now() + LEASE_MS;
      const change = (current: S) => renewed(current, { ...lease, until });
      return sessions.move<Leased<S>>(session, { change, expiresAt: untilLeaseEnds });
    };
    try {
      return await underLease(timers, renew, verify);
    } catch (error) {
      await sessions.move(session, { change: (current) => release(current, lease) }).catch(() => undefined);
      throw error;
    }
  }
}

/** The session under a lease. @throws DomainError `Conflict` when another request has it */
export function leasedTo<S extends object>(session: S, { owner }: Lease): Leased<S> {
  const { lease }: { lease?: Lease } = session;
  if (lease?.owner !== owner) throw new DomainError('Conflict', 'The session received another response first');
  return session as Leased<S>;
}

/** Prolongs the lease. @throws as `leasedTo` */
export const renewed = <S extends object>(session: S, lease: Lease): Leased<S> => ({
  ...leasedTo(session, lease),
  lease,
});

const untilLeaseEnds = ({ lease }: { lease: Lease }, { expiresAt = 0 }: Stored<unknown>): number =>
  Math.max(expiresAt, lease.until);
