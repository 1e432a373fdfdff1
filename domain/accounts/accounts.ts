import type { Collection, CollectionSpec, Store } from '../../ports/store.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';

/** A wallet as its account knows it; keys, DIDs and credentials are kept under its id. */
export interface Wallet {
  id: string;
  name: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** Somebody who can log in. */
export interface Account {
  /** A random UUID. */
  id: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  name?: string;
  email?: string;
  wallets: Wallet[];
}

/** What an account is recognised by: `x5c:<key thumbprint>` or `email:<address in lower case>`. */
export interface Identity {
  accountId: string;
  /** Only for e-mail. */
  passwordHash?: string;
}

/** The identities of the wallet and of those who administer, which never meet: their ids start differently. */
export const IDENTITIES: CollectionSpec<Identity> = {
  name: 'identities',
  listed: false,
  sealed: true,
  hiddenIds: true,
};

/** What is known of an account that is to be made. */
export interface NewAccount {
  identity: string;
  name?: string;
  email?: string;
  passwordHash?: string;
}

/** Fills new wallets with their default key and DID. */
export interface WalletProvisioner {
  provision(walletId: string): Promise<void>;
  /** Removes everything `provision` made, also when it got only half way. */
  discard(walletId: string): Promise<void>;
}

/** All accounts and the identities they are found by. */
export class Accounts {
  readonly #accounts: Collection<Account>;
  readonly #identities: Collection<Identity>;
  readonly #wallets: WalletProvisioner;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor(store: Store, wallets: WalletProvisioner, clock: Clock, ids: Ids) {
    this.#accounts = store.collection({ name: 'accounts', listed: false, sealed: true, wasClear: true });
    this.#identities = store.collection(IDENTITIES);
    this.#wallets = wallets;
    this.#clock = clock;
    this.#ids = ids;
  }

  async find(identity: string): Promise<Identity | undefined> {
    return (await this.#identities.get({ id: identity }))?.value;
  }

  /** @throws DomainError `LoginRequired` when there is no such account */
  async get(accountId: string): Promise<Account> {
    const record = await this.#accounts.get({ id: accountId });
    if (!record) throw new DomainError('LoginRequired', 'Login required');
    return record.value;
  }

  /** @throws DomainError `Forbidden`, the same for a foreign wallet and for one that does not exist */
  async requireWallet(accountId: string, walletId: string): Promise<void> {
    const record = await this.#accounts.get({ id: accountId });
    if (!record?.value.wallets.some(({ id }) => id === walletId))
      throw new DomainError('Forbidden', 'This account does not have access to the wallet');
  }

  /**
   * Makes an account with one wallet. The insert of the identity is the moment it comes to be: everything else is
   * written before, and goes away again when the identity is taken. @throws DomainError `Conflict` when it is
   */
  async create(request: NewAccount): Promise<Account> {
    if (await this.find(request.identity)) throw alreadyExists();
    const account = this.#draft(request);
    try {
      for (const { id } of account.wallets) await this.#wallets.provision(id);
      await this.#accounts.insert({ id: account.id, value: account });
    } catch (error) {
      await this.#discard(account);
      throw error;
    }
    await this.#claim(request, account);
    return account;
  }

  async #claim({ identity, passwordHash }: NewAccount, account: Account): Promise<void> {
    const value = { accountId: account.id, ...(passwordHash === undefined ? {} : { passwordHash }) };
    try {
      await this.#identities.insert({ id: identity, value });
    } catch (error) {
      // Only a lost race is certain; after any other failure the identity may have been written and need its account.
      if (!isDomainError(error, 'Conflict')) throw error;
      await this.#discard(account);
      throw alreadyExists();
    }
  }

  #draft({ name, email }: NewAccount): Account {
    const createdAt = this.#clock.now();
    const wallet = { id: this.#ids.uuid(), name: name ? `Wallet of ${name}` : 'Wallet', createdAt };
    return { id: this.#ids.uuid(), createdAt, ...(name && { name }), ...(email && { email }), wallets: [wallet] };
  }

  /** What cannot be removed now stays out of reach: no identity leads to it. */
  async #discard(account: Account): Promise<void> {
    await Promise.allSettled([
      this.#accounts.remove({ id: account.id }),
      ...account.wallets.map(({ id }) => this.#wallets.discard(id)),
    ]);
  }
}

/** The failure of a registration whose identity has an account. */
export const alreadyExists = (): DomainError => new DomainError('Conflict', 'This account exists already');
