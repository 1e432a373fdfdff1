import type { KeyType } from '../../ports/key-service.ts';
import type { WalletProvisioner } from '../accounts/accounts.ts';
import type { ActivityLog } from '../holdings/activity.ts';
import type { Credentials } from '../holdings/credentials.ts';
import type { Dids } from '../holdings/dids.ts';
import type { Keys } from '../holdings/keys.ts';
import { KEY_TYPE_NAMES } from '../keys/key-types.ts';

/** The key and the DID of every new wallet (registration-defaults.conf). */
export interface RegistrationDefaults {
  defaultKeyConfig: { backend: string; keyType: KeyType };
  defaultDidConfig: { method: string };
}

/** Reads registration-defaults.conf. @throws Error for an unknown key type */
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

/** What a wallet owns. */
export interface Holdings {
  keys: Keys;
  dids: Dids;
  credentials: Credentials;
  activity: ActivityLog;
}

/** Gives a new wallet its default key and DID (decisions §3). */
export class WalletSetup implements WalletProvisioner {
  readonly #holdings: Holdings;
  readonly #defaults: RegistrationDefaults;

  constructor(holdings: Holdings, defaults: RegistrationDefaults) {
    this.#holdings = holdings;
    this.#defaults = defaults;
  }

  async provision(walletId: string): Promise<void> {
    const { keys, dids } = this.#holdings;
    const keyId = await keys.create(walletId, this.#defaults.defaultKeyConfig);
    const { method } = this.#defaults.defaultDidConfig;
    await dids.makeDefault(walletId, await dids.create(walletId, { method, keyId, alias: 'Onboarding' }));
  }

  async discard(walletId: string): Promise<void> {
    const { keys, dids, credentials, activity } = this.#holdings;
    await credentials.removeAll(walletId);
    await dids.removeAll(walletId);
    for (const { id } of await keys.list(walletId)) await keys.remove({ owner: walletId, id });
    await activity.removeAll(walletId);
  }
}
