import type { Collection, Store } from '../../../ports/store.ts';
import type { Random } from '../../../ports/system.ts';
import { DomainError } from '../../foundation/errors.ts';
import { insertFirst, update } from '../../foundation/records.ts';
import { newSecret, secretId } from '../../oauth/secrets.ts';
import type { Holder } from '../protocol.ts';

/** A credential that is made when the wallet asks again: for which item, grant and holders. */
export interface DeferredIssuance {
  sessionId: string;
  /** The id of the item. */
  item: number;
  grantId: string;
  /** The authorization of the grant, which the grants of refreshed access tokens have in common. */
  authorizationId?: string;
  holders: Holder[];
}

/** The issuer of a deferred issuance, and the end of its session in milliseconds since the epoch. */
interface DeferralContext {
  issuerId: string;
  expiresAt: number;
  /** Whether the item is open: what an earlier request left there has failed. */
  isOpen?: boolean;
}

/** A deferred issuance with the digests of its transaction ids, the latest last. */
interface StoredDeferral extends DeferredIssuance {
  transactions: string[];
}

/** How many transaction ids of one item are good: a wallet that lost the answer asks again. */
export const MAX_TRANSACTIONS = 8;

/** `<record>.<secret>`. */
const TRANSACTION_ID = /^([A-Za-z0-9_-]{43})\.[A-Za-z0-9_-]{43}$/;

/** Deferred issuances, one record for each item of a session, whose transaction ids are stored as digests. */
export class DeferredIssuances {
  readonly #issuances: Collection<StoredDeferral>;
  readonly #random: Random;

  constructor({ store, random }: { store: Store; random: Random }) {
    this.#issuances = store.collection({ name: 'deferred-issuances', afterRestore: 'void' });
    this.#random = random;
  }

  /**
   * Stores the deferred issuance of an item in place of an earlier one, whose latest transaction ids stay good. Returns
   * its transaction id, and undefined when the item was promised to another wallet of the session.
   * @throws DomainError `Conflict` when the session has ended
   */
  async create(
    value: DeferredIssuance,
    { issuerId, expiresAt, isOpen = false }: DeferralContext,
  ): Promise<string | undefined> {
    const key = { id: recordId(issuerId, value) };
    const transactionId = `${key.id}.${newSecret(this.#random)}`;
    const own = secretId(issuerId, transactionId);
    const first = { ...key, value: { ...value, transactions: [own] }, expiresAt };
    if (await insertFirst(this.#issuances, first)) return transactionId;
    const change = (before: StoredDeferral): StoredDeferral => {
      if (isOpen) return first.value;
      if (!isOfOneWallet(before, value)) return before;
      return { ...value, transactions: [...before.transactions, own].slice(-MAX_TRANSACTIONS) };
    };
    const stored = await update({ collection: this.#issuances, key, change });
    if (stored) return stored.value.transactions.includes(own) ? transactionId : undefined;
    throw new DomainError('Conflict', 'The issuance session is over');
  }

  /** Makes all transaction ids of an item void. */
  async end(issuerId: string, item: Pick<DeferredIssuance, 'sessionId' | 'item'>): Promise<void> {
    await this.#issuances.remove({ id: recordId(issuerId, item) });
  }

  /** The issuance with this transaction id; one of another issuer is unknown. */
  async get(issuerId: string, transactionId: string): Promise<DeferredIssuance | undefined> {
    const own = secretId(issuerId, transactionId);
    const id = TRANSACTION_ID.exec(transactionId)?.[1];
    const stored = id === undefined ? undefined : await this.#issuances.get({ id });
    return stored?.value.transactions.includes(own) ? stored.value : undefined;
  }
}

/** Whether two grants are of one access token, or of one that was refreshed. */
const isOfOneWallet = (one: DeferredIssuance, other: DeferredIssuance): boolean =>
  one.grantId === other.grantId || (one.authorizationId !== undefined && one.authorizationId === other.authorizationId);

const recordId = (issuerId: string, { sessionId, item }: Pick<DeferredIssuance, 'sessionId' | 'item'>): string =>
  secretId(issuerId, `${sessionId}.${item}`);
