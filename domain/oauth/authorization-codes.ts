import type { Collection, Store, Stored } from '../../ports/store.ts';
import { type CodeLeaseParts, CodeLeases, type Redeemable } from './code-leases.ts';
import { secretId } from './secrets.ts';

/** What a code or an access token gives access to: one session of one issuer. */
export interface Grant {
  sessionId: string;
}

/** A code to be redeemed once. */
interface NewCode extends Grant {
  issuerId: string;
  code: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** What is stored of a code. */
export interface CodeRecord extends Grant, Redeemable {
  /** How many wrong transaction codes were sent with it. */
  wrongTxCodes?: number;
}

/** What is done with a code. */
interface CodeWork<R> {
  work(): Promise<R>;
  /** What is left of the code when the work failed; undefined when the code is used up. */
  left(): CodeRecord | undefined;
}

/** One-time codes of the token endpoint (RFC 6749 §4.1.2, OpenID4VCI draft 13 §3.5). */
export class AuthorizationCodes {
  readonly #codes: Collection<CodeRecord>;
  readonly #leases: CodeLeases<CodeRecord>;

  constructor({ store, ...parts }: { store: Store } & CodeLeaseParts) {
    this.#codes = store.collection({ name: 'authorization-codes', listed: false, sealed: false, afterRestore: 'void' });
    this.#leases = new CodeLeases(this.#codes, parts);
  }

  async create({ issuerId, code, sessionId, expiresAt }: NewCode): Promise<void> {
    await this.#codes.insert({ id: secretId(issuerId, code), value: { sessionId }, expiresAt });
  }

  /** A code that is not used up; one of another issuer is unknown. */
  find(issuerId: string, code: string): Promise<Stored<CodeRecord> | undefined> {
    return this.#codes.get({ id: secretId(issuerId, code) });
  }

  /** Redeems a code: of concurrent redemptions exactly one works, and uses it up when it succeeds. @throws DomainError `Busy` */
  redeem<R>(found: Stored<CodeRecord>, { work, left }: CodeWork<R>): Promise<R> {
    return this.#leases.run(found, {
      work,
      redeemed: () => ({ value: found.value, expiresAt: USED_UP }),
      failed: () => {
        const value = left();
        return value ? { value, expiresAt: found.expiresAt } : { value: found.value, expiresAt: USED_UP };
      },
    });
  }
}

/** An end in the past, with which a record is removed. */
const USED_UP = 0;
