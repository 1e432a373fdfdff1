import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock, Ids } from '../../../ports/system.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { DomainError, ignoring, isDomainError } from '../../foundation/errors.ts';
import { LEASE_MS, type Lease } from '../../foundation/lease.ts';
import { type HeldRecord, LeasedRecords } from '../../foundation/leased-records.ts';
import { insertFirst, makeRoom } from '../../foundation/records.ts';
import type { RedeemedOffer, RunningIssuance } from './issuances.ts';

/** An offer that was redeemed and whose credentials have not all arrived; with the access token of the issuer. */
export interface InterruptedOffer {
  running: RunningIssuance;
  /** The DID that the credentials are requested for. */
  did: string;
  issuer: string;
  /** Names what was selected of it; absent for all. */
  selection?: string;
}

/** One that this request works on. */
export interface HeldOffer {
  offer: InterruptedOffer;
  /** Absent for one that is not kept. */
  held?: HeldRecord;
}

/** As it is stored; another request goes on with it when its lease has ended. */
interface StoredOffer extends InterruptedOffer {
  lease?: Lease;
}

const INTERRUPTED: CollectionSpec<StoredOffer> = {
  name: 'wallet-interrupted-offers',
  listed: true,
  afterRestore: 'void',
};

/** How long an offer can be continued, in milliseconds, without anything delivered and with something. */
const [EMPTY_MS, DELIVERED_MS] = [60 * 60 * 1000, 30 * 24 * 60 * 60 * 1000];
/** How many of them a wallet keeps; the oldest makes room. */
const MAX_INTERRUPTED = 8;
/** The most characters of one as JSON. */
const MAX_LENGTH = 1024 * 1024;

/**
 * The offers of wallets that can be continued: their codes are used up, and what was delivered is not thrown away, also when
 * the process ends that receives it.
 */
export class InterruptedOffers {
  readonly #records: Collection<StoredOffer>;
  readonly #leases: LeasedRecords<StoredOffer>;

  constructor(private readonly parts: { store: Store; clock: Clock; ids: Ids }) {
    this.#records = parts.store.collection(INTERRUPTED);
    this.#leases = new LeasedRecords(this.#records, parts);
  }

  async get(walletId: string, link: string): Promise<InterruptedOffer | undefined> {
    return (await this.#records.get(keyOf(walletId, link)))?.value;
  }

  /** Hands an offer out to be continued: of two at once exactly one gets it, and none while another request works on it. */
  async take(walletId: string, link: string): Promise<HeldOffer | undefined> {
    const { parent: owner, id } = keyOf(walletId, link);
    const taken = await this.#leases.hold({ owner, id }).catch(ignoring('Busy'));
    return taken && { offer: taken.value, held: taken.held };
  }

  /** Keeps an offer while a request works on it, where that can be kept. */
  async begin(walletId: string, link: string, offer: InterruptedOffer): Promise<HeldOffer> {
    const { clock, ids } = this.parts;
    const lease = { owner: ids.uuid(), until: clock.now() + LEASE_MS };
    const isKept = await this.#insert(walletId, link, { ...offer, lease });
    const { parent: owner, id } = keyOf(walletId, link);
    return isKept ? { offer, held: { owner, id, holder: lease.owner } } : { offer };
  }

  /** Notes what has arrived, and keeps the offer held. @throws DomainError `Busy` when another request has it meanwhile */
  async note({ offer, held }: HeldOffer): Promise<void> {
    if (held && isKeepable(offer)) await this.#leases.change(held, () => offer, this.#end(offer));
  }

  /** Gives an offer back, to be continued; returns whether it is kept. */
  async keep(walletId: string, link: string, { offer, held }: HeldOffer): Promise<boolean> {
    if (!held) return this.#insert(walletId, link, offer);
    if (!isKeepable(offer)) return false;
    await this.#leases.giveBack(held, () => offer);
    return true;
  }

  async end({ held }: HeldOffer): Promise<void> {
    if (held) await this.#records.remove({ parent: held.owner, id: held.id });
  }

  /** Returns whether it is kept: too large ones are not, nor the second of one link. */
  async #insert(walletId: string, link: string, value: StoredOffer): Promise<boolean> {
    if (!isKeepable(value)) return false;
    await makeRoom(this.#records, { parent: walletId, most: MAX_INTERRUPTED });
    return insertFirst(this.#records, { ...keyOf(walletId, link), value, expiresAt: this.#end(value) });
  }

  #end({ running }: InterruptedOffer): number {
    return keptUntil(running, { now: this.parts.clock.now(), otherwiseMs: EMPTY_MS });
  }
}

/** When a redeemed offer need not be kept any more, in milliseconds since the epoch: later where something was delivered. */
export const keptUntil = (
  { issued, deferred }: RedeemedOffer,
  { now, otherwiseMs }: { now: number; otherwiseMs: number },
): number => now + (issued.length + deferred.length > 0 ? DELIVERED_MS : otherwiseMs);

const isKeepable = (offer: InterruptedOffer): boolean => JSON.stringify(offer).length <= MAX_LENGTH;

/** Links contain secrets, so records are identified by their digests. */
const keyOf = (walletId: string, link: string) => ({ parent: walletId, id: fingerprint(link) });

/** What may be left of an offer after a failure. */
interface Rest {
  /** Whether the issuer delivered everything; then a refusal is about the credentials, and stays. */
  isDelivered: boolean;
  /** Keeps the offer, and returns whether it did. */
  keep(): Promise<boolean>;
  /** What the caller does to get it. */
  again?: string;
}

/** Whether the wallet refuses what an issuer delivered. */
export const isRefusal = (error: unknown): error is DomainError =>
  isDomainError(error, 'BadRequest') || isDomainError(error, 'Forbidden');

/** The error of an offer that was redeemed and not received, after what is left of it was kept. */
export async function interrupted(
  error: unknown,
  { isDelivered, keep, again = 'Accept the same offer again' }: Rest,
): Promise<unknown> {
  if (!isDomainError(error) || (isDelivered && isRefusal(error))) return error;
  const isKept = await keep().catch(() => false);
  if (!isKept) return error;
  const message = `${error.message}. ${again} to get what is missing`;
  return new DomainError(error.code, message, { ...error, cause: error, extra: { ...error.extra, resumable: true } });
}
