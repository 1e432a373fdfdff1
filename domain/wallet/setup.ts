import type { Origin } from '../../ports/turn.ts';
import type { WalletProvisioner } from '../accounts/accounts.ts';
import type { ActivityLog } from '../holdings/activity.ts';
import type { Credentials } from '../holdings/credentials.ts';
import type { Dids } from '../holdings/dids.ts';
import type { Keys } from '../holdings/keys.ts';
import type { WantedKey } from '../holdings/stored-keys.ts';

/** The key and the DID of every new wallet (registration-defaults.conf). */
interface RegistrationDefaults {
  defaultKeyConfig: WantedKey;
  defaultDidConfig: { method: string };
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
  constructor(
    private readonly holdings: Holdings,
    private readonly defaults: RegistrationDefaults,
  ) {}

  async provision(walletId: string, origin: Origin): Promise<void> {
    const { keys, dids } = this.holdings;
    const keyId = await keys.create(walletId, { ...this.defaults.defaultKeyConfig, ...origin });
    const { method } = this.defaults.defaultDidConfig;
    await dids.makeDefault(walletId, await dids.create(walletId, { method, keyId, alias: 'Onboarding' }));
  }

  async discard(walletId: string): Promise<void> {
    const { keys, dids, credentials, activity } = this.holdings;
    await credentials.removeAll(walletId);
    await dids.removeAll(walletId);
    await keys.removeAll(walletId);
    await activity.removeAll(walletId);
  }
}
