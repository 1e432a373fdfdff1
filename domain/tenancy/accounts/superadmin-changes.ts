import type { Collection, Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { DomainError } from '../../foundation/errors.ts';
import { LEASE_MS } from '../../foundation/lease.ts';
import { insertFirst } from '../../foundation/records.ts';

/** The one record while superadmins are changed. */
const CHANGE = { id: 'disabling' };

/** Lets one request at a time, of all instances, take the rights of a superadmin. */
export class SuperadminChanges {
  readonly #changes: Collection<object>;
  readonly #clock: Clock;

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.#changes = store.collection({ name: 'superadmin-changes', sealed: false, afterRestore: 'kept' });
    this.#clock = clock;
  }

  /** Does the work alone; after the time of a lease another request may begin. @throws DomainError `Conflict` during another's, and of `work` */
  async alone(work: () => Promise<void>): Promise<void> {
    const expiresAt = this.#clock.now() + LEASE_MS;
    if (!(await insertFirst(this.#changes, { ...CHANGE, value: {}, expiresAt })))
      throw new DomainError('Conflict', 'Another superadmin is being disabled or removed; try again');
    try {
      await work();
    } finally {
      if (this.#clock.now() < expiresAt) await this.#changes.remove(CHANGE);
    }
  }
}
