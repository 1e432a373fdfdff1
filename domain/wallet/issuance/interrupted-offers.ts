import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { makeRoom } from '../../foundation/records.ts';
import type { RunningIssuance } from './issuance-client.ts';

/** An offer that was redeemed and whose credentials have not all arrived; with the access token of the issuer. */
export interface InterruptedOffer {
  running: RunningIssuance;
  /** The DID that the credentials are requested for. */
  did: string;
  issuer: string;
}

const INTERRUPTED: CollectionSpec<InterruptedOffer> = {
  name: 'wallet-interrupted-offers',
  listed: true,
  afterRestore: 'void',
};

/** How long an offer can be continued, in milliseconds. */
const CONTINUED_MS = 60 * 60 * 1000;
/** How many of them a wallet keeps; the oldest makes room. */
const MAX_INTERRUPTED = 8;
/** The most characters of one as JSON. */
const MAX_LENGTH = 1024 * 1024;

/** The offers of wallets that can be continued: their codes are used up, and what was delivered is not thrown away. */
export class InterruptedOffers {
  readonly #records: Collection<InterruptedOffer>;
  readonly #clock: Clock;

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.#records = store.collection(INTERRUPTED);
    this.#clock = clock;
  }

  async get(walletId: string, link: string): Promise<InterruptedOffer | undefined> {
    return (await this.#records.get(keyOf(walletId, link)))?.value;
  }

  /** Hands an offer out to be continued: of two at once exactly one gets it. */
  async take(walletId: string, link: string): Promise<InterruptedOffer | undefined> {
    return (await this.#records.take(keyOf(walletId, link)))?.value;
  }

  /** Returns whether the offer is kept; too large ones are not. */
  async keep(walletId: string, link: string, value: InterruptedOffer): Promise<boolean> {
    if (JSON.stringify(value).length > MAX_LENGTH) return false;
    await makeRoom(this.#records, { parent: walletId, most: MAX_INTERRUPTED });
    await this.#records.insert({ ...keyOf(walletId, link), value, expiresAt: this.#clock.now() + CONTINUED_MS });
    return true;
  }
}

/** Links contain secrets, so records are identified by their digests. */
const keyOf = (walletId: string, link: string) => ({ parent: walletId, id: fingerprint(link) });
