import type { Collection, Store, Stored } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';
import { DomainError } from '../foundation/errors.ts';
import { update } from '../foundation/records.ts';
import { newSecret } from './secrets.ts';

/** The nonce that the next proof under a grant has to carry, as it is stored. */
export type CurrentNonce = Stored<{ nonce: string }>;

/** Nonces of proofs of possession. A grant has one at a time: a new one makes the one before it void. */
export class Nonces {
  readonly #nonces: Collection<{ nonce: string }>;
  readonly #random: Random;

  constructor({ store, random }: { store: Store; random: Random }) {
    this.#nonces = store.collection({ name: 'nonces', listed: false, sealed: true });
    this.#random = random;
  }

  /** Creates the first nonce of a grant; `expiresAt` is in milliseconds since the epoch. */
  async create(grantId: string, expiresAt: number): Promise<string> {
    const nonce = newSecret(this.#random);
    await this.#nonces.insert({ id: grantId, value: { nonce }, expiresAt });
    return nonce;
  }

  get(grantId: string): Promise<CurrentNonce | undefined> {
    return this.#nonces.get({ id: grantId });
  }

  /**
   * Replaces a nonce by a fresh one and returns it; of concurrent requests that saw the same nonce all return the
   * first one's. @throws DomainError `Conflict` when the grant has expired
   */
  async renew(seen: CurrentNonce): Promise<string> {
    const fresh = newSecret(this.#random);
    const renewed = await update({
      collection: this.#nonces,
      key: { id: seen.id },
      from: seen,
      change: (current) => (current.nonce === seen.value.nonce ? { nonce: fresh } : current),
    });
    if (!renewed) throw new DomainError('Conflict', 'The grant has expired');
    return renewed.value.nonce;
  }
}
