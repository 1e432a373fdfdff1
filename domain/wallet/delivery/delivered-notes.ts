import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { makeRoom } from '../../foundation/records.ts';

/** What came of transactions that a wallet asked for by itself: ids of credentials. */
const DELIVERED: CollectionSpec<string[]> = { name: 'wallet-delivered', listed: true, afterRestore: 'void' };
/** How long a caller can learn of it, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000;
/** How many of a wallet are kept; the oldest makes room. */
const MOST = 64;

/** A delivery that happened beside all requests of its user, who learns of it once. */
export class DeliveredNotes {
  readonly #records: Collection<string[]>;

  constructor(private readonly parts: { store: Store; clock: Clock }) {
    this.#records = parts.store.collection(DELIVERED);
  }

  async keep(walletId: string, transactionId: string, credentialIds: string[]): Promise<void> {
    const key = keyOf(walletId, transactionId);
    await this.#records.remove(key);
    await makeRoom(this.#records, { parent: walletId, most: MOST });
    await this.#records.insert({ ...key, value: credentialIds, expiresAt: this.parts.clock.now() + KEPT_MS });
  }

  /** Of two at once exactly one learns of it. */
  async take(walletId: string, transactionId: string): Promise<string[] | undefined> {
    return (await this.#records.take(keyOf(walletId, transactionId)))?.value;
  }
}

/** Transaction ids may be secrets, so records are identified by their digests. */
const keyOf = (walletId: string, transactionId: string) => ({ parent: walletId, id: fingerprint(transactionId) });
