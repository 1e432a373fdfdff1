import type { Log } from '../../ports/log.ts';
import type { Collection, CollectionSpec, Store } from '../../ports/store.ts';
import type { Ids } from '../../ports/system.ts';
import { isDomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { removeAll } from '../foundation/records.ts';

/** What can happen to each kind of thing a wallet owns. */
const ACTIVITIES = {
  Account: ['Create', 'Update', 'Delete', 'Login'],
  Key: ['Create', 'Rotate', 'Delete', 'Import', 'Export', 'Sign', 'Remove', 'Verify'],
  Did: ['Create', 'Update', 'Delete', 'Register', 'Resolve', 'Import'],
  Credential: ['Receive', 'Defer', 'Fail', 'Renew', 'Accept', 'Reject', 'Delete', 'Present', 'Decline'],
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

/** Records what happens in wallets; never throws, so that what happened stays done. */
export interface ActivityRecorder {
  record(owner: string, activity: Activity): Promise<void>;
}

/** The event log of wallets, by wallet. */
export const WALLET_ACTIVITY: CollectionSpec<Activity> = {
  name: 'wallet-activity',
  listed: true,
  afterRestore: 'kept',
};

/** How many of the newest activities of a wallet are kept. */
const KEPT = 10_000;
/** The most characters of `data` as JSON; of each of its members when it is longer, and of the other texts. */
const MAX_DATA = 16_384;
const MAX_MEMBER = 1024;
/** The most activities that one trim removes. */
const TRIM = 500;

/** The event log of wallets. */
export class ActivityLog implements ActivityRecorder {
  readonly #records: Collection<Activity>;

  constructor(
    private readonly parts: {
      store: Store;
      ids: Ids;
      log: Log;
    },
    private readonly kept = KEPT,
  ) {
    this.#records = parts.store.collection(WALLET_ACTIVITY);
  }

  async record(owner: string, activity: Activity): Promise<void> {
    const { ids, log } = this.parts;
    try {
      const id = ids.uuid();
      await this.#records.insert({ id, parent: owner, value: withinBounds(activity) });
      if (isTrimDue(id, this.kept)) await this.#trim(owner);
    } catch (error) {
      const { event, action } = activity;
      log.warn('wallet activity not recorded', {
        event,
        action,
        reason: isDomainError(error) ? error.code : 'unknown',
      });
    }
  }

  async removeAll(owner: string): Promise<void> {
    await removeAll({ collection: this.#records, parent: owner });
  }

  async #trim(parent: string): Promise<void> {
    const old = await this.#records.ids({ parent, order: 'created-', offset: this.kept, limit: TRIM });
    for (const id of old) await this.#records.remove({ parent, id });
  }
}

/** One write in a hundredth of the bound trims, chosen by its random id: that keeps no count, and costs a read in so many writes. */
const isTrimDue = (id: string, kept: number): boolean =>
  Number.parseInt(id.slice(0, 8), 16) % Math.ceil(kept / 100) === 0;

/** Cuts long texts, and leaves out the large members of data that is too large as a whole. */
function withinBounds(activity: Activity): Activity {
  const { originator, note, data } = activity;
  return {
    ...activity,
    ...(originator !== undefined && { originator: originator.slice(0, MAX_MEMBER) }),
    ...(note !== undefined && { note: note.slice(0, MAX_MEMBER) }),
    data: JSON.stringify(data).length <= MAX_DATA ? data : smallMembers(data),
  };
}

function smallMembers(data: JsonObject): JsonObject {
  const small = Object.entries(data).filter(([, value]) => (JSON.stringify(value) ?? '').length <= MAX_MEMBER);
  return Object.fromEntries(small.slice(0, MAX_DATA / MAX_MEMBER));
}
