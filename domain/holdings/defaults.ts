import type { Collection, Store } from '../../ports/store.ts';
import { update, upsert } from '../foundation/records.ts';
import { WALLET_DEFAULTS, type WalletDefaults } from './records.ts';

/** The default DID and the default key of each wallet. */
export class Defaults {
  readonly #defaults: Collection<WalletDefaults>;

  constructor(store: Store) {
    this.#defaults = store.collection(WALLET_DEFAULTS);
  }

  async of(owner: string): Promise<WalletDefaults> {
    return (await this.#defaults.get({ id: owner }))?.value ?? {};
  }

  /** Changes the defaults that are given. */
  async choose(owner: string, chosen: WalletDefaults): Promise<void> {
    await upsert({ collection: this.#defaults, key: { id: owner }, change: (before) => ({ ...before, ...chosen }) });
  }

  /** Leaves a wallet without this default, if it is the one that is given. */
  async clear(owner: string, gone: WalletDefaults): Promise<void> {
    const change = (before: WalletDefaults): WalletDefaults => {
      const { did, keyId } = before;
      const [isDid, isKey] = [did !== undefined && did === gone.did, keyId !== undefined && keyId === gone.keyId];
      if (!isDid && !isKey) return before;
      return { ...(did !== undefined && !isDid && { did }), ...(keyId !== undefined && !isKey && { keyId }) };
    };
    await update({ collection: this.#defaults, key: { id: owner }, change });
  }

  /** Leaves a wallet without defaults. */
  async forget(owner: string): Promise<void> {
    await this.#defaults.remove({ id: owner });
  }
}
