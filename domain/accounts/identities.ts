import type { Collection, Store } from '../../ports/store.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { update } from '../foundation/records.ts';

/** Whose accounts: those of the wallet service, or those of administrators. */
export type AccountRealm = 'wallet' | 'enterprise';

/** The account of an identity. */
interface Identity {
  accountId: string;
  /** Only of an e-mail address. */
  passwordHash?: string;
}

/** The identity of a new account. */
export interface NewIdentity {
  id: string;
  passwordHash?: string;
}

/** An account that is created together with its identity. */
interface AccountDraft {
  id: string;
  /** Stores the account and what belongs to it. */
  store(): Promise<void>;
  /** Removes everything that `store` wrote, also when it wrote only a part; does not throw. */
  discard(): Promise<void>;
}

const EMAIL_PREFIXES: Readonly<Record<AccountRealm, string>> = { wallet: 'email', enterprise: 'admin' };

/** The identity of an e-mail address; no identity of one realm is one of the other. */
export const emailIdentity = (realm: AccountRealm, address: string): string =>
  `${EMAIL_PREFIXES[realm]}:${address.toLowerCase()}`;

/** The identity of a certified key, by its RFC 7638 thumbprint; keys have accounts in the wallet realm only. */
export const keyIdentity = (thumbprint: string): string => `x5c:${thumbprint}`;

/** The identities of both realms: what accounts are found by. */
export class Identities {
  readonly #identities: Collection<Identity>;

  constructor(store: Store) {
    this.#identities = store.collection({ name: 'identities', afterRestore: 'kept', hidden: 'id' });
  }

  async find(id: string): Promise<Identity | undefined> {
    return (await this.#identities.get({ id }))?.value;
  }

  /** Replaces the password of an identity of this account. @throws DomainError `NotFound` */
  async setPassword(id: string, accountId: string, passwordHash: string): Promise<void> {
    const change = (identity: Identity): Identity => {
      if (identity.accountId !== accountId) throw noAccount();
      return { ...identity, passwordHash };
    };
    if (!(await update({ collection: this.#identities, key: { id }, change }))) throw noAccount();
  }

  /** Removes an identity of this account. */
  async remove(id: string, accountId: string): Promise<void> {
    if ((await this.find(id))?.accountId === accountId) await this.#identities.remove({ id });
  }

  /**
   * Creates an account with its identity. The insert of the identity decides: the account is stored before, and
   * discarded when the identity has an account. @throws DomainError `Conflict` when it has
   */
  async register({ id, passwordHash }: NewIdentity, account: AccountDraft): Promise<void> {
    if (await this.find(id)) throw alreadyExists();
    try {
      await account.store();
    } catch (error) {
      await account.discard();
      throw error;
    }
    const value = { accountId: account.id, ...(passwordHash !== undefined && { passwordHash }) };
    try {
      await this.#identities.insert({ id, value });
    } catch (error) {
      // Only a lost race is certain; after any other failure the identity may have been written and need its account.
      if (!isDomainError(error, 'Conflict')) throw error;
      await account.discard();
      throw alreadyExists();
    }
  }
}

const noAccount = (): DomainError => new DomainError('NotFound', 'There is no such account');

/** The failure of a registration whose identity has an account. */
export const alreadyExists = (): DomainError => new DomainError('Conflict', 'This account exists already');
