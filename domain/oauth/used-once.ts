import type { Collection, Store } from '../../ports/store.ts';
import { insertFirst } from '../foundation/records.ts';

/** Remembers what may be used once, for as long as it would be accepted, across all instances on one store. */
export class UsedOnce {
  readonly #used: Collection<object>;

  constructor(store: Store, name: 'used-proofs' | 'used-nonces') {
    this.#used = store.collection({ name, sealed: false, afterRestore: 'kept' });
  }

  /** Records a use until `expiresAt` (ms since the epoch) and returns whether it is the first; of two at once exactly one is. */
  use(id: string, expiresAt: number): Promise<boolean> {
    return insertFirst(this.#used, { id, value: {}, expiresAt });
  }

  /** Makes it usable again, which only the caller whose use was the first may do. */
  async forget(id: string): Promise<void> {
    await this.#used.remove({ id });
  }
}
