import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { makeRoom, readAll } from '../../foundation/records.ts';
import type { WalletRecord } from './due-marks.ts';

/** What came of a transaction that a wallet asked for by itself. */
interface DeliveredNote {
  /** The digest of the issuer's name of it, which may be a secret. */
  name: string;
  credentialIds: string[];
}

/** By the ids of the transactions. */
const DELIVERED: CollectionSpec<DeliveredNote> = { name: 'wallet-delivered', listed: true, afterRestore: 'void' };
/** How long a caller can learn of it, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000;
/** How many of a wallet are kept; the oldest makes room. */
const MOST = 64;

/** A delivery that happened beside all requests of its user, who learns of it once. */
export class DeliveredNotes {
  readonly #records: Collection<DeliveredNote>;

  constructor(private readonly parts: { store: Store; clock: Clock }) {
    this.#records = parts.store.collection(DELIVERED);
  }

  async keep({ owner: parent, id }: WalletRecord, transactionId: string, credentialIds: string[]): Promise<void> {
    await this.#records.remove({ parent, id });
    await makeRoom(this.#records, { parent, most: MOST });
    const value = { name: fingerprint(transactionId), credentialIds };
    await this.#records.insert({ parent, id, value, expiresAt: this.parts.clock.now() + KEPT_MS });
  }

  /** By the id of a transaction, or by the issuer's name of it. Of two at once exactly one learns of it. */
  async take(parent: string, named: string): Promise<string[] | undefined> {
    const all = await readAll({ collection: this.#records, parent });
    const found = all.find(({ id, value }) => id === named || value.name === fingerprint(named));
    return found && (await this.#records.take({ parent, id: found.id }))?.value.credentialIds;
  }
}
