import type { Store } from '../../ports/store.ts';
import { secretId } from './secrets.ts';
import { type StampedNonceParts, StampedNonces } from './stamped-nonces.ts';
import { UsedOnce } from './used-once.ts';

/** How much longer a use is remembered: the clock of the store may be ahead. */
const MARGIN_MS = 60_000;

/** A nonce that was consumed, as it can be made good again. */
export interface ConsumedNonce {
  id: string;
}

/**
 * The nonces of proofs of possession that any client can fetch (OpenID4VCI 1.0 §7): creating one stores nothing, only
 * consuming one does, for as long as the nonce would be good.
 */
export class SingleUseNonces {
  readonly #nonces: StampedNonces;
  readonly #used: UsedOnce;

  constructor({ store, ...parts }: StampedNonceParts & { store: Store }) {
    this.#nonces = new StampedNonces(parts, 'proof');
    this.#used = new UsedOnce(store, 'used-nonces');
  }

  create(issuerId: string): Promise<string> {
    return this.#nonces.create(issuerId);
  }

  /** Consumes a nonce of this issuer; of two at once exactly one does. Undefined when it is not good (any more). */
  async consume(issuerId: string, nonce: string): Promise<ConsumedNonce | undefined> {
    const end = await this.#nonces.endOf(issuerId, nonce);
    if (end === undefined) return undefined;
    const id = secretId(issuerId, nonce);
    return (await this.#used.use(id, end + MARGIN_MS)) ? { id } : undefined;
  }

  /** Makes a nonce good again whose use failed for a reason that is not the client's. */
  restore({ id }: ConsumedNonce): Promise<void> {
    return this.#used.forget(id);
  }
}
