import type { Collection, Store } from '../../ports/store.ts';
import { upsert } from '../foundation/records.ts';
import { WALLET_DEFAULTS } from './records.ts';

/** The default DID of each wallet. */
export class DefaultDids {
  readonly #defaults: Collection<{ did: string }>;

  constructor(store: Store) {
    this.#defaults = store.collection(WALLET_DEFAULTS);
  }

  async of(owner: string): Promise<string | undefined> {
    return (await this.#defaults.get({ id: owner }))?.value.did;
  }

  async choose(owner: string, did: string): Promise<void> {
    await upsert({ collection: this.#defaults, key: { id: owner }, change: () => ({ did }) });
  }

  /** Leaves a wallet without a default DID. */
  async clear(owner: string): Promise<void> {
    await this.#defaults.remove({ id: owner });
  }
}
