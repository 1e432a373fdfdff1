import type { Collection } from '../../ports/store.ts';
import type { Clock, Ids, Timers } from '../../ports/system.ts';
import { busy, isLeased, LEASE_MS, type Lease, underLease } from './lease.ts';
import { update, upsert } from './records.ts';

/** What a request is about to do. */
interface JointClaim {
  /** Equal for requests that do the same, which work at once. */
  work: string;
  /** What it works on: a request that does something else with one of these is `Busy` meanwhile. */
  names: readonly string[];
}

/** The requests that work on the parts of one thing, each with its lease. */
interface JointRecord {
  leases: (Lease & JointClaim)[];
}

/** Work under a joint lease. */
interface JointWork<R> {
  /** The id of the thing. */
  id: string;
  claim: JointClaim;
  /** `isHeld` says whether the lease is still this request's, and renews it. */
  work(isHeld: () => Promise<boolean>): Promise<R>;
}

/** How many requests work on the parts of one thing at the same time, which bounds its record. */
export const MAX_JOINT_LEASES = 32;

export interface JointLeaseParts {
  clock: Clock;
  timers: Timers;
  ids: Ids;
}

/** Keeps requests apart that do different things with the same parts; those that do the same work at once. */
export class JointLeases {
  constructor(
    private readonly records: Collection<JointRecord>,
    private readonly parts: JointLeaseParts,
  ) {}

  /**
   * @throws DomainError `Busy` while another request does something else with one of the names or `MAX_JOINT_LEASES` are
   * held, and what `work` throws
   */
  async run<R>({ id, claim, work }: JointWork<R>): Promise<R> {
    const { clock, timers, ids } = this.parts;
    const [collection, key, owner] = [this.records, { id }, ids.uuid()];
    const mine = () => ({ ...claim, owner, until: clock.now() + LEASE_MS });
    await upsert<JointRecord>({
      collection,
      key,
      change: ({ leases } = { leases: [] }) => {
        const others = leases.filter((lease) => isLeased(lease, clock.now()));
        if (others.length >= MAX_JOINT_LEASES || others.some((other) => isRival(other, claim))) throw busy();
        return { leases: [...others, mine()] };
      },
      expiresAt: () => clock.now() + LEASE_MS,
    });
    const rewrite = (next: () => JointRecord['leases']) =>
      update({
        collection,
        key,
        change: ({ leases }) => {
          if (!leases.some((lease) => lease.owner === owner && isLeased(lease, clock.now()))) throw busy();
          return { leases: [...leases.filter((lease) => lease.owner !== owner), ...next()] };
        },
        expiresAt: ({ leases }) => Math.max(0, ...leases.map(({ until }) => until)),
      });
    const renew = () => rewrite(() => [mine()]);
    const isHeld = async (): Promise<boolean> => (await renew().catch(() => undefined)) !== undefined;
    try {
      return await underLease(timers, renew, () => work(isHeld));
    } finally {
      // When this fails, the lease ends by itself.
      await rewrite(() => []).catch(() => undefined);
    }
  }
}

const isRival = (one: JointClaim, other: JointClaim): boolean =>
  one.work !== other.work && one.names.some((name) => other.names.includes(name));
