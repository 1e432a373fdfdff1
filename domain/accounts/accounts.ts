import type { Collection, Store } from '../../ports/store.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import type { Origin } from '../../ports/turn.ts';
import { DomainError } from '../foundation/errors.ts';
import type { Identities, NewIdentity } from './identities.ts';

/** A wallet in its account; its keys, DIDs and credentials are stored under its id. */
export interface Wallet {
  id: string;
  name: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** An account of the wallet service. */
export interface Account {
  /** A random UUID. */
  id: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  name?: string;
  email?: string;
  wallets: Wallet[];
}

/** An account to create. */
interface NewAccount {
  identity: NewIdentity;
  name?: string;
  email?: string;
  requestId?: string;
}

/** Fills new wallets with their default key and DID. */
export interface WalletProvisioner {
  provision(walletId: string, origin: Origin): Promise<void>;
  /** Removes everything that `provision` created, also when it created only a part. */
  discard(walletId: string): Promise<void>;
}

/** Which wallets an account may use. */
export interface WalletAccess {
  /** @throws DomainError `Forbidden`, the same for a foreign wallet and for one that does not exist (decisions §3) */
  requireWallet(accountId: string, walletId: string): Promise<void>;
}

/** What happens to an account. */
interface AccountActivity {
  event: 'Account';
  action: 'Create' | 'Login';
  data: { accountId: string; walletId: string };
}

/** Records what happens to accounts in the event log of their wallets; never throws. */
interface AccountActivityRecorder {
  record(walletId: string, activity: AccountActivity): Promise<void>;
}

/** The accounts of the wallet service. */
export class Accounts implements WalletAccess {
  readonly #accounts: Collection<Account>;

  constructor(
    private readonly parts: {
      store: Store;
      identities: Identities;
      wallets: WalletProvisioner;
      activity: AccountActivityRecorder;
      clock: Clock;
      ids: Ids;
    },
  ) {
    this.#accounts = parts.store.collection({ name: 'accounts', afterRestore: 'kept' });
  }

  /** @throws DomainError `LoginRequired` when there is no such account */
  async get(accountId: string): Promise<Account> {
    const record = await this.#accounts.get({ id: accountId });
    if (!record) throw new DomainError('LoginRequired', 'Login required');
    return record.value;
  }

  async requireWallet(accountId: string, walletId: string): Promise<void> {
    const record = await this.#accounts.get({ id: accountId });
    if (!record?.value.wallets.some(({ id }) => id === walletId))
      throw new DomainError('Forbidden', 'This account does not have access to the wallet');
  }

  /** Creates an account with one wallet. @throws DomainError `Conflict` when the identity has an account */
  async create({ identity, requestId, ...request }: NewAccount): Promise<Account> {
    const account = this.#draft(request);
    await this.parts.identities.register(identity, {
      id: account.id,
      store: () => this.#store(account, { requestId }),
      discard: () => this.#discard(account),
    });
    await this.#record(account, 'Create');
    return account;
  }

  /** Records a login in the event log of each wallet of the account; never throws, since the login has happened. */
  async recordLogin(accountId: string): Promise<void> {
    const record = await this.#accounts.get({ id: accountId }).catch(() => undefined);
    if (record) await this.#record(record.value, 'Login');
  }

  async #record({ id: accountId, wallets }: Account, action: AccountActivity['action']): Promise<void> {
    for (const { id: walletId } of wallets)
      await this.parts.activity.record(walletId, { event: 'Account', action, data: { accountId, walletId } });
  }

  #draft({ name, email }: Pick<NewAccount, 'name' | 'email'>): Account {
    const { clock, ids } = this.parts;
    const createdAt = clock.now();
    const wallet = { id: ids.uuid(), name: name ? `Wallet of ${name}` : 'Wallet', createdAt };
    return { id: ids.uuid(), createdAt, ...(name && { name }), ...(email && { email }), wallets: [wallet] };
  }

  async #store(account: Account, origin: Origin): Promise<void> {
    for (const { id } of account.wallets) await this.parts.wallets.provision(id, origin);
    await this.#accounts.insert({ id: account.id, value: account });
  }

  /** What cannot be removed now stays unreachable: no identity leads to it. */
  async #discard(account: Account): Promise<void> {
    await Promise.allSettled([
      this.#accounts.remove({ id: account.id }),
      ...account.wallets.map(({ id }) => this.parts.wallets.discard(id)),
    ]);
  }
}
