import type { Collection, CollectionSpec, Store, Stored } from '../../../ports/store.ts';
import type { Clock, Ids } from '../../../ports/system.ts';
import { earliestEnd } from '../../credentials/validity.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { Lease } from '../../foundation/lease.ts';
import { LeasedRecords } from '../../foundation/leased-records.ts';
import { makeRoom, readAll, removeAll, update } from '../../foundation/records.ts';
import type { StoredCredential } from '../../holdings/credentials.ts';
import type { AccessGrant } from '../issuance/dpop-calls.ts';
import type { IssuedCredential, ReportedCredentials } from '../issuance/issuances.ts';
import type { RefreshGrant } from '../issuance/oauth-client.ts';
import type { GrantedOffer, GrantStore } from '../issuance/offer-redemption.ts';
import type { WantedCredential } from '../issuance/openid4vci.ts';
import { DueMarks, type WalletRecord } from './due-marks.ts';

/** A credential of a wallet that came with a grant. Times are milliseconds since the epoch. */
export interface GrantedCredential {
  id: string;
  /** How it was requested. */
  wanted?: WantedCredential;
  notificationId?: string;
  /** When it is renewed; absent for never. */
  renewAt?: number;
}

/** What is left of an issuance: by which its issuer is notified, and asked for the next credentials; with secrets. */
export interface CredentialGrant extends AccessGrant {
  /** Of the issuer, as far as notifications need it. */
  metadata: JsonObject;
  issuer: string;
  /** The DID that the credentials were requested for. */
  holder: string;
  refresh?: RefreshGrant;
  credentials: GrantedCredential[];
  /** How often that failed. */
  attempts: number;
  lease?: Lease;
}

/** Whose grants they are: those of each are renewed by a worker of its own. */
const NAMES = { accounts: 'wallet', tenants: 'tenant-wallet' } as const;

const grantsOf = (name: string): CollectionSpec<CredentialGrant> => ({
  name: `${name}-grants`,
  listed: true,
  afterRestore: 'kept',
});
/** How many grants of a wallet are kept; the oldest makes room. */
const MOST = 256;
/** How long a grant is kept that can be refreshed, and another one without a stated life, in milliseconds. */
const [REFRESHABLE_MS, UNSTATED_MS] = [400 * 24 * 60 * 60 * 1000, 10 * 60 * 1000];
/** A credential is renewed when a fifth of its life is left, and a week before its end at the earliest. */
const [WEEK_MS, MINUTE_MS] = [7 * 24 * 60 * 60 * 1000, 60_000];

/** What is kept of issuances after their credentials are in the wallet, sealed. */
export class CredentialGrants implements GrantStore {
  readonly #records: Collection<CredentialGrant>;
  readonly #marks: DueMarks;
  readonly #leases: LeasedRecords<CredentialGrant>;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor({ store, clock, ids }: { store: Store; clock: Clock; ids: Ids }, of: keyof typeof NAMES) {
    this.#records = store.collection(grantsOf(NAMES[of]));
    this.#marks = new DueMarks({ store, clock }, `${NAMES[of]}-due-renewals`);
    this.#leases = new LeasedRecords(this.#records, { clock, ids });
    [this.#clock, this.#ids] = [clock, ids];
  }

  get marks(): DueMarks {
    return this.#marks;
  }

  get leases(): LeasedRecords<CredentialGrant> {
    return this.#leases;
  }

  removeAll(parent: string): Promise<void> {
    return removeAll({ collection: this.#records, parent });
  }

  /** Keeps the grant of credentials that are in the wallet, when there is anything left to do with it. */
  async keep(owner: string, granted: GrantedOffer, stored: StoredCredential[]): Promise<void> {
    const { accessToken, dpop, metadata, issuer, holder, refresh, issued, expiresIn } = granted;
    const now = this.#clock.now();
    const credentials = stored.map((one, place) => grantedCredential(one, { ...issued[place], now }));
    if (!refresh && !credentials.some(({ notificationId }) => notificationId !== undefined)) return;
    const id = this.#ids.uuid();
    const { credential_issuer, notification_endpoint } = metadata;
    const common = {
      accessToken,
      dpop,
      metadata: { credential_issuer, notification_endpoint },
      issuer,
      holder,
      refresh,
    };
    const value: CredentialGrant = { ...common, credentials, attempts: 0 };
    const dueAt = renewalOf(value);
    const life = refresh ? REFRESHABLE_MS : expiresIn === undefined ? UNSTATED_MS : expiresIn * 1000;
    await makeRoom(this.#records, { parent: owner, most: MOST });
    if (dueAt !== undefined) await this.#marks.insert({ owner, id, dueAt });
    await this.#records.insert({ id, parent: owner, value, expiresAt: now + life });
  }

  async get({ owner, id }: WalletRecord): Promise<CredentialGrant | undefined> {
    return (await this.#records.get({ parent: owner, id }))?.value;
  }

  /** The grant that a credential came with, if it is kept. */
  async of(owner: string, credentialId: string): Promise<Stored<CredentialGrant> | undefined> {
    const all = await readAll({ collection: this.#records, parent: owner });
    return all.find(({ value }) => value.credentials.some(({ id }) => id === credentialId));
  }

  /** Takes a credential out that is no longer in the wallet; returns by what its issuer is notified. */
  async forget(owner: string, credentialId: string): Promise<ReportedCredentials | undefined> {
    const found = await this.of(owner, credentialId);
    if (!found) return undefined;
    const { id, value } = found;
    const isOther = (one: GrantedCredential): boolean => one.id !== credentialId;
    const change = (grant: CredentialGrant) => ({ ...grant, credentials: grant.credentials.filter(isOther) });
    const left = await update({ collection: this.#records, key: { parent: owner, id }, change });
    if (left?.value.credentials.length === 0) await this.#records.remove({ parent: owner, id });
    const issued = value.credentials.filter((one) => !isOther(one));
    const { metadata, accessToken, dpop, refresh } = value;
    return { metadata, accessToken, dpop, refresh, issued };
  }
}

/** What is kept of a credential, as it was issued and stored. */
export function grantedCredential(
  { id, parsed, holder }: StoredCredential,
  { wanted, notificationId, now }: Partial<IssuedCredential> & { now: number },
): GrantedCredential {
  const end = parsed && earliestEnd(parsed.validity)?.ms;
  const isLasting = end === undefined || end <= now || !wanted;
  const renewAt = isLasting
    ? undefined
    : Math.max(now + MINUTE_MS, Math.ceil(end - Math.min(WEEK_MS, (end - now) / 5)));
  const bindings = wanted?.bindings?.filter(({ did }) => did === holder);
  return { id, wanted: wanted && { ...wanted, ...(bindings && { bindings }) }, notificationId, renewAt };
}

/** When the first credential of a grant is renewed; undefined where none can be. */
export function renewalOf({
  refresh,
  credentials,
}: Pick<CredentialGrant, 'refresh' | 'credentials'>): number | undefined {
  const times = refresh ? credentials.flatMap(({ renewAt }) => renewAt ?? []) : [];
  return times.length > 0 ? Math.min(...times) : undefined;
}
