import type { Collection, Store } from '../../../ports/store.ts';
import type { Random } from '../../../ports/system.ts';
import { newSecret, secretId } from '../../oauth/secrets.ts';
import type { Holder } from './holder-proofs.ts';

/** A credential that is made when the wallet asks again: for which item, grant and holders. */
export interface DeferredIssuance {
  sessionId: string;
  /** The id of the item. */
  item: number;
  grantId: string;
  holders: Holder[];
}

/** The issuer of a deferred issuance, and the end of its session in milliseconds since the epoch. */
export interface DeferralContext {
  issuerId: string;
  expiresAt: number;
}

/** Deferred issuances by their transaction ids, which are stored as digests. */
export class DeferredIssuances {
  readonly #issuances: Collection<DeferredIssuance>;
  readonly #random: Random;

  constructor({ store, random }: { store: Store; random: Random }) {
    this.#issuances = store.collection({ name: 'deferred-issuances', listed: false, sealed: true });
    this.#random = random;
  }

  /** Stores a deferred issuance; returns its transaction id. */
  async create(value: DeferredIssuance, { issuerId, expiresAt }: DeferralContext): Promise<string> {
    const transactionId = newSecret(this.#random);
    await this.#issuances.insert({ id: secretId(issuerId, transactionId), value, expiresAt });
    return transactionId;
  }

  /** The issuance with this transaction id; one of another issuer is unknown. */
  async get(issuerId: string, transactionId: string): Promise<DeferredIssuance | undefined> {
    return (await this.#issuances.get({ id: secretId(issuerId, transactionId) }))?.value;
  }
}
