import type { Collection, CollectionSpec, Store } from '../../ports/store.ts';
import type { Ids } from '../../ports/system.ts';
import type { JsonObject } from '../foundation/json.ts';

/** What can happen to each kind of thing a wallet owns. */
export const ACTIVITIES = {
  Account: ['Create', 'Update', 'Delete', 'Login'],
  Key: ['Create', 'Rotate', 'Delete', 'Import', 'Export', 'Sign', 'Remove', 'Verify'],
  Did: ['Create', 'Update', 'Delete', 'Register', 'Resolve', 'Import'],
  Credential: ['Receive', 'Accept', 'Reject', 'Delete', 'Present', 'Decline'],
} as const;

type Kind = keyof typeof ACTIVITIES;

/** Something that happened in a wallet. Never contains a secret. */
export type Activity = {
  [K in Kind]: {
    event: K;
    action: (typeof ACTIVITIES)[K][number];
    /** Facts about what it happened to: ids, names, addresses. */
    data: JsonObject;
    /** Who caused it: the wallet, or the issuer or verifier of an exchange. */
    originator?: string;
    credentialId?: string;
    note?: string;
  };
}[Kind];

/** The event log of wallets, by wallet. */
export const WALLET_ACTIVITY: CollectionSpec<Activity> = { name: 'wallet-activity', listed: true, sealed: true };

/** Records what happens in wallets. */
export class ActivityLog {
  readonly #records: Collection<Activity>;
  readonly #ids: Ids;

  constructor({ store, ids }: { store: Store; ids: Ids }) {
    this.#records = store.collection(WALLET_ACTIVITY);
    this.#ids = ids;
  }

  async record(owner: string, activity: Activity): Promise<void> {
    await this.#records.insert({ id: this.#ids.uuid(), parent: owner, value: activity });
  }
}
