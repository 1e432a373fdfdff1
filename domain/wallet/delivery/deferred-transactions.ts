import type { Collection, CollectionSpec, Store, Stored } from '../../../ports/store.ts';
import type { Clock, Ids } from '../../../ports/system.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { DomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { Lease } from '../../foundation/lease.ts';
import { type HeldRecord, LeasedRecords } from '../../foundation/leased-records.ts';
import { insertFirst, readAll, removeAll } from '../../foundation/records.ts';
import type { ActivityRecorder } from '../../holdings/activity.ts';
import type { AccessGrant } from '../issuance/dpop-calls.ts';
import type { IssuedCredential, PendingCredential, RedeemedOffer } from '../issuance/issuances.ts';
import type { DeferralStore, DeferredCredential, Recipient } from '../issuance/offer-redemption.ts';
import { DueMarks, type WalletRecord } from './due-marks.ts';

/** Credentials that an issuer delivers later, and what the wallet asks for them with; with the access token of the issuer. */
export interface DeferredTransaction
  extends PendingCredential,
    Pick<RedeemedOffer, keyof AccessGrant | 'refresh'>,
    Recipient {
  /** Of the issuer, as far as the deferred credential endpoint needs it. */
  metadata: JsonObject;
  /** The issuer is not asked before, in milliseconds since the epoch. */
  askableAt: number;
  /** When it is asked without a request of the user. */
  dueAt: number;
  endsAt: number;
  /** How often it was asked in vain. */
  attempts: number;
  lease?: Lease;
  /** What was delivered and is not yet in the wallet. */
  issued?: IssuedCredential[];
}

/** Who waits: the marks of each are looked through by a worker of its own. */
const NAMES = { accounts: 'wallet', tenants: 'tenant-wallet' } as const;

const deferredOf = (name: string): CollectionSpec<DeferredTransaction> => ({
  name: `${name}-deferred`,
  listed: true,
  afterRestore: 'kept',
});
/** How long a credential is waited for, in milliseconds. */
const LIFE_MS = 30 * 24 * 60 * 60 * 1000;
/** How many transactions a wallet waits for. */
const MOST = 64;
/** Seconds between two requests: where the issuer states none, and the most that it can state. */
const [LEAST_SECONDS, MOST_SECONDS] = [5, 24 * 60 * 60];
/** The longest pause that the wallet makes by itself, in seconds. */
const LONGEST_PAUSE = 60 * 60;
/** The members of an issuer's metadata that are kept. */
const KEPT = [
  'credential_issuer',
  'deferred_credential_endpoint',
  'nonce_endpoint',
  'notification_endpoint',
  'credential_request_encryption',
  'credential_response_encryption',
];

/** The credentials that wallets wait for, sealed, each in its wallet. */
export class DeferredTransactions implements DeferralStore {
  readonly #records: Collection<DeferredTransaction>;
  readonly #marks: DueMarks;
  readonly #leases: LeasedRecords<DeferredTransaction>;

  constructor(
    private readonly parts: { store: Store; clock: Clock; ids: Ids; activity: ActivityRecorder },
    of: keyof typeof NAMES,
  ) {
    this.#records = parts.store.collection(deferredOf(NAMES[of]));
    this.#marks = new DueMarks(parts, `${NAMES[of]}-due-deferred`);
    this.#leases = new LeasedRecords(this.#records, parts);
  }

  get marks(): DueMarks {
    return this.#marks;
  }

  /**
   * Keeps what an offer defers, which it has no longer then. The same transaction twice is one.
   * @throws DomainError `Conflict` when the wallet waits for too many
   */
  async keep(walletId: string, redeemed: RedeemedOffer, recipient: Recipient): Promise<DeferredCredential[]> {
    const kept: DeferredCredential[] = [];
    if (redeemed.deferred.length > 0) await this.#requireRoom(walletId, redeemed.deferred.length);
    for (const pending of redeemed.deferred) kept.push(await this.#insert(walletId, pending, { redeemed, recipient }));
    redeemed.deferred = [];
    return kept;
  }

  async list(walletId: string): Promise<DeferredCredential[]> {
    const now = this.parts.clock.now();
    return (await readAll({ collection: this.#records, parent: walletId })).map((one) => summaryOf(one, now));
  }

  /** By its id, or by the issuer's name of it. @throws DomainError `NotFound` */
  async find(walletId: string, name: string): Promise<Stored<DeferredTransaction>> {
    const one = await this.#records.get({ parent: walletId, id: name });
    const all = one ? [one] : await readAll({ collection: this.#records, parent: walletId });
    const found = all.find(({ id, value }) => id === name || value.transactionId === name);
    if (found) return found;
    throw new DomainError('NotFound', `This wallet waits for no credential ${name.slice(0, 80)}`);
  }

  async get({ owner, id }: WalletRecord): Promise<DeferredTransaction | undefined> {
    return (await this.#records.get({ parent: owner, id }))?.value;
  }

  removeAll(parent: string): Promise<void> {
    return removeAll({ collection: this.#records, parent });
  }

  /** Stops waiting; returns whether it was waited for. */
  remove({ owner, id }: WalletRecord): Promise<boolean> {
    return this.#records.remove({ parent: owner, id });
  }

  get leases(): LeasedRecords<DeferredTransaction> {
    return this.#leases;
  }

  /** Puts a transaction off and gives it back: the pause doubles with each attempt, and is never shorter than the issuer says. */
  async postpone(held: HeldRecord, { dpop, intervalSeconds }: Partial<DeferredTransaction>): Promise<void> {
    const now = this.parts.clock.now();
    await this.#leases.giveBack(held, (value) => {
      const stated = intervalSeconds ?? value.intervalSeconds;
      const next = { ...value, ...(dpop && { dpop }), intervalSeconds: stated, attempts: value.attempts + 1 };
      return { ...next, ...timesFrom(now, next) };
    });
  }

  async #insert(
    walletId: string,
    pending: PendingCredential,
    { redeemed, recipient }: { redeemed: RedeemedOffer; recipient: Recipient },
  ): Promise<DeferredCredential> {
    const { accessToken, dpop, metadata, refresh } = redeemed;
    const now = this.parts.clock.now();
    const { holder, issuer, requireUserInput } = recipient;
    const kept = Object.fromEntries(KEPT.filter((name) => name in metadata).map((name) => [name, metadata[name]]));
    const common = { accessToken, ...(dpop && { dpop }), refresh, metadata: kept, holder, issuer, requireUserInput };
    const lasting = { ...pending, ...common, endsAt: now + LIFE_MS, attempts: 0 };
    const value: DeferredTransaction = { ...lasting, ...timesFrom(now, lasting) };
    const id = fingerprint(JSON.stringify([issuer, pending.transactionId]));
    await this.#marks.insert({ owner: walletId, id, dueAt: value.dueAt });
    const isNew = await insertFirst(this.#records, { parent: walletId, id, value });
    if (isNew) await this.parts.activity.record(walletId, { ...activityOf(value), action: 'Defer' });
    return summaryOf({ id, value, createdAt: now }, now);
  }

  async #requireRoom(parent: string, wanted: number): Promise<void> {
    const kept = await this.#records.ids({ parent, order: 'id', offset: 0, limit: MOST });
    if (kept.length + wanted > MOST)
      throw new DomainError('Conflict', `A wallet may wait for at most ${MOST} credentials; give up on one first`);
  }
}

/** What the event log says of a credential that is not there yet. */
export const activityOf = ({ described, configurationId, issuer }: DeferredTransaction) => ({
  event: 'Credential' as const,
  data: {
    format: described.format,
    ...(described.type !== undefined && { credentialType: described.type }),
    configuration: configurationId,
  },
  originator: issuer,
});

const summaryOf = (
  { id, createdAt, value }: Pick<Stored<DeferredTransaction>, 'id' | 'createdAt' | 'value'>,
  now: number,
): DeferredCredential => {
  const { transactionId, isToken, issuer, configurationId, described, issued, dueAt, endsAt } = value;
  const { format, type, wanted } = described;
  const named = isToken ? {} : { transactionId };
  const identifier = wanted?.identifier === undefined ? {} : { identifier: wanted.identifier };
  const askable = issued ? {} : { intervalSeconds: Math.max(0, Math.ceil((value.askableAt - now) / 1000)) };
  const what = { ...named, ...identifier, issuer, configurationId, format, type };
  return { id, ...what, ...askable, requestedAt: createdAt, nextAt: dueAt, endsAt };
};

/** When the issuer may be asked, and when it is. */
function timesFrom(
  now: number,
  {
    intervalSeconds = LEAST_SECONDS,
    attempts,
    endsAt,
  }: Pick<DeferredTransaction, 'intervalSeconds' | 'attempts' | 'endsAt'>,
): Pick<DeferredTransaction, 'askableAt' | 'dueAt'> {
  const least = Math.min(Math.max(intervalSeconds, LEAST_SECONDS), MOST_SECONDS);
  const pause = Math.max(least, Math.min(LEAST_SECONDS * 2 ** Math.min(attempts, 30), LONGEST_PAUSE));
  return { askableAt: now + least * 1000, dueAt: Math.min(now + pause * 1000, endsAt) };
}
