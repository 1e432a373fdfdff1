import type { Collection, CollectionSpec, Store } from '../../ports/store.ts';
import { utf8Length } from '../foundation/bytes.ts';
import { invalidField } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { upsert } from '../foundation/records.ts';

/** What the front end of a wallet stores, by wallet; any JSON object. */
const WALLET_SETTINGS: CollectionSpec<JsonObject> = { name: 'wallet-settings', afterRestore: 'kept' };
/** The most bytes of the settings of a wallet, as JSON. */
const MAX_BYTES = 65_536;

/** What the front ends of wallets store. The server does not read it. */
export class WalletSettings {
  readonly #records: Collection<JsonObject>;

  constructor({ store }: { store: Store }) {
    this.#records = store.collection(WALLET_SETTINGS);
  }

  /** An empty object until the first `replace`. */
  async get(owner: string): Promise<JsonObject> {
    return (await this.#records.get({ id: owner }))?.value ?? {};
  }

  /** Replaces all settings. @throws DomainError `BadRequest` for more than 64 KiB */
  async replace(owner: string, settings: JsonObject): Promise<void> {
    if (utf8Length(JSON.stringify(settings)) > MAX_BYTES)
      throw invalidField([], `may have at most ${MAX_BYTES} bytes as JSON`);
    await upsert({ collection: this.#records, key: { id: owner }, change: () => settings });
  }

  async removeAll(owner: string): Promise<void> {
    await this.#records.remove({ id: owner });
  }
}
