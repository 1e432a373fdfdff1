import type { Collection } from '../../ports/store.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import { busy, isLeased, LEASE_MS, type Lease } from './lease.ts';
import { update } from './records.ts';

/** A record that one request at a time works on. */
interface Leasable {
  lease?: Lease;
}

/** A record of an owner. */
interface OwnedRecord {
  owner: string;
  id: string;
}

/** A record that this request alone works on. */
export interface HeldRecord extends OwnedRecord {
  /** Names the lease. */
  holder: string;
}

/** Records that one request at a time works on; when its process dies, another one can after its lease. */
export class LeasedRecords<T extends Leasable> {
  constructor(
    private readonly collection: Collection<T>,
    private readonly parts: { clock: Clock; ids: Ids },
  ) {}

  /** Takes a record for this request; undefined when there is none. @throws DomainError `Busy` while another has it */
  async hold({ owner, id }: OwnedRecord): Promise<{ held: HeldRecord; value: T } | undefined> {
    const { clock, ids } = this.parts;
    const holder = ids.uuid();
    const stored = await update({
      collection: this.collection,
      key: { parent: owner, id },
      change: (value) => {
        if (isLeased(value.lease, clock.now())) throw busy();
        return { ...value, lease: { owner: holder, until: clock.now() + LEASE_MS } };
      },
    });
    return stored && { held: { owner, id, holder }, value: stored.value };
  }

  /**
   * Changes a held record and keeps it held; its end of life stays where none is given.
   * @throws DomainError `Busy` when another has it meanwhile
   */
  async change(held: HeldRecord, change: (value: T) => T, expiresAt?: number): Promise<void> {
    const until = this.parts.clock.now() + LEASE_MS;
    await this.#write(held, (value) => ({ ...change(value), lease: { owner: held.holder, until } }), expiresAt);
  }

  /** Changes a held record and gives it back. @throws DomainError `Busy` when another has it meanwhile */
  async giveBack(held: HeldRecord, change: (value: T) => T): Promise<void> {
    await this.#write(held, (value) => ({ ...change(value), lease: undefined }));
  }

  async #write({ owner, id, holder }: HeldRecord, change: (value: T) => T, end?: number): Promise<void> {
    await update({
      expiresAt: (_, { expiresAt }) => end ?? expiresAt,
      collection: this.collection,
      key: { parent: owner, id },
      change: (value) => {
        if (value.lease?.owner !== holder) throw busy();
        return change(value);
      },
    });
  }
}
