import type { Collection, Store, Stored } from '../../ports/store.ts';
import { secretId } from './secrets.ts';

/** What a code or an access token gives access to: one session of one issuer. */
export interface Grant {
  sessionId: string;
}

/** A code to be redeemed once. */
export interface NewCode extends Grant {
  issuerId: string;
  code: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** What is stored of a code. */
export interface CodeRecord extends Grant {
  /** How many wrong transaction codes were sent with it. */
  wrongTxCodes?: number;
}

/** A code that was taken out of the store, as it can be put back. */
export type RedeemedCode = Stored<CodeRecord>;

/** One-time codes of the token endpoint (RFC 6749 §4.1.2, OpenID4VCI draft 13 §3.5). */
export class AuthorizationCodes {
  readonly #codes: Collection<CodeRecord>;

  constructor({ store }: { store: Store }) {
    this.#codes = store.collection({ name: 'authorization-codes', listed: false, sealed: false, afterRestore: 'void' });
  }

  async create({ issuerId, code, sessionId, expiresAt }: NewCode): Promise<void> {
    await this.#codes.insert({ id: secretId(issuerId, code), value: { sessionId }, expiresAt });
  }

  /** Consumes a code: of concurrent redemptions exactly one receives the grant. A code of another issuer is unknown. */
  redeem(issuerId: string, code: string): Promise<RedeemedCode | undefined> {
    return this.#codes.take({ id: secretId(issuerId, code) });
  }

  /** Makes a code good again whose redemption failed. */
  async restore(redeemed: RedeemedCode): Promise<void> {
    await this.#codes.insert(redeemed);
  }
}
