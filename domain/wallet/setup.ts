import type { KeyType } from '../../ports/key-service.ts';
import type { Store } from '../../ports/store.ts';
import type { WalletProvisioner } from '../accounts/accounts.ts';
import { KEY_TYPE_NAMES } from '../keys/key-types.ts';
import { removeAll, WALLET_ARRIVALS, WALLET_CREDENTIALS, WALLET_DEFAULTS, WALLET_DIDS } from './records.ts';
import type { WalletDids } from './wallet-dids.ts';
import type { WalletKeys } from './wallet-keys.ts';

/** What every new wallet starts with (registration-defaults.conf). */
export interface RegistrationDefaults {
  defaultKeyConfig: { backend: string; keyType: KeyType };
  defaultDidConfig: { method: string };
}

/** Reads registration-defaults.conf. @throws Error for a key type nobody knows */
export function readRegistrationDefaults(settings: {
  defaultKeyConfig: { backend: string; keyType: string };
  defaultDidConfig: { method: string };
}): RegistrationDefaults {
  const { backend, keyType: wanted } = settings.defaultKeyConfig;
  const keyType = KEY_TYPE_NAMES.find((name) => name === wanted);
  if (keyType === undefined)
    throw new Error(`registration-defaults.conf: defaultKeyConfig.keyType must be one of ${KEY_TYPE_NAMES.join(', ')}`);
  return { ...settings, defaultKeyConfig: { backend, keyType } };
}

/** Gives a new wallet its default key and DID (decisions §3). */
export class WalletSetup implements WalletProvisioner {
  readonly #store: Store;
  readonly #keys: WalletKeys;
  readonly #dids: WalletDids;
  readonly #kit: RegistrationDefaults;

  constructor(store: Store, keys: WalletKeys, dids: WalletDids, kit: RegistrationDefaults) {
    this.#store = store;
    this.#keys = keys;
    this.#dids = dids;
    this.#kit = kit;
  }

  async provision(walletId: string): Promise<void> {
    const keyId = await this.#keys.generate(walletId, this.#kit.defaultKeyConfig);
    const { method } = this.#kit.defaultDidConfig;
    await this.#dids.makeDefault(walletId, await this.#dids.create(walletId, { method, keyId, alias: 'Onboarding' }));
  }

  async discard(walletId: string): Promise<void> {
    await removeAll(this.#store.collection(WALLET_ARRIVALS), walletId);
    await removeAll(this.#store.collection(WALLET_CREDENTIALS), walletId);
    await removeAll(this.#store.collection(WALLET_DIDS), walletId);
    await this.#store.collection(WALLET_DEFAULTS).remove({ id: walletId });
    for (const { id } of await this.#keys.list(walletId)) await this.#keys.remove(walletId, id);
  }
}
