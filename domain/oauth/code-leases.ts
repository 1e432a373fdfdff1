import type { Collection, Stored } from '../../ports/store.ts';
import type { Clock, Ids, Timers } from '../../ports/system.ts';
import { replacing } from '../foundation/errors.ts';
import { busy, isLeased, LEASE_MS, type Lease, underLease } from '../foundation/lease.ts';
import { update } from '../foundation/records.ts';

/** What the record of a code has while a request redeems it. */
export interface Redeemable {
  lease?: Lease;
}

/** A record as a redemption leaves it, and its end in milliseconds since the epoch; one that has passed removes it. */
interface RedemptionEnd<T> {
  value: T;
  expiresAt: number | undefined;
}

/** The redemption of a code. */
interface LeasedRedemption<T, R> {
  work(): Promise<R>;
  /** The record after the work. */
  redeemed(): RedemptionEnd<T>;
  /** The record after work that failed. */
  failed(): RedemptionEnd<T>;
}

export interface CodeLeaseParts {
  clock: Clock;
  timers: Timers;
  ids: Ids;
}

/**
 * Has each code redeemed by one request at a time. A request that repeats it meanwhile is answered `Busy`; when it comes
 * again, the code is used, or good again after a failure. The lease of a process that died ends by itself, and its answer
 * was never sent: the code is good again.
 */
export class CodeLeases<T extends Redeemable> {
  constructor(
    private readonly codes: Collection<T>,
    private readonly parts: CodeLeaseParts,
  ) {}

  /**
   * Works under a lease of the very revision of the code that was found. What is made is thrown away when the lease was lost.
   * @throws DomainError `Busy`, and what `work` throws
   */
  async run<R>(found: Stored<T>, { work, redeemed, failed }: LeasedRedemption<T, R>): Promise<R> {
    const { clock, timers } = this.parts;
    if (isLeased(found.value.lease, clock.now())) throw busy();
    const owner = this.parts.ids.uuid();
    let held = await this.codes.replace(this.#leased(found, owner), found.revision).catch(asBusy);
    const write = async ({ value, expiresAt }: RedemptionEnd<T>): Promise<void> => {
      const change = (current: T) => {
        if (current.lease?.owner !== owner) throw busy();
        return value;
      };
      const key = { id: found.id };
      const written = await update({ collection: this.codes, key, from: held, change, expiresAt: () => expiresAt });
      if (!written) throw busy();
      held = written;
    };
    try {
      return await underLease(
        timers,
        () => write(this.#leased(found, owner)),
        async () => {
          const made = await work();
          await write(redeemed());
          return made;
        },
      );
    } catch (error) {
      // When this fails too, the lease ends by itself.
      await write(failed()).catch(() => undefined);
      throw error;
    }
  }

  #leased({ id, value, expiresAt }: Stored<T>, owner: string): RedemptionEnd<T> & { id: string } {
    const until = this.parts.clock.now() + LEASE_MS;
    const leased = { ...value, lease: { owner, until } };
    return { id, value: leased, expiresAt: expiresAt === undefined ? undefined : Math.max(expiresAt, until) };
  }
}

/** Another request was faster. */
const asBusy = replacing('Conflict', busy);
