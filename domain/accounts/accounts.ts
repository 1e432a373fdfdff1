import type { Collection, Store } from '../../ports/store.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import type { Origin } from '../../ports/turn.ts';
import { DomainError } from '../foundation/errors.ts';
import { update } from '../foundation/records.ts';
import type { Identities, NewIdentity } from './identities.ts';

/** A wallet in its account; its keys, DIDs and credentials are stored under its id. */
export interface Wallet {
  id: string;
  name: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Whether it is being deleted: it is no longer the account's. */
  leaving?: true;
}

/** The most wallets of an account, those that are being deleted included. */
export const MAX_ACCOUNT_WALLETS = 100;

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
  /** Whether it has no wallet at first. */
  isWithoutWallet?: boolean;
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

  /** The account without the wallets that are being deleted. @throws DomainError `LoginRequired` when there is no such account */
  async get(accountId: string): Promise<Account> {
    const record = await this.#accounts.get({ id: accountId });
    if (!record) throw noLogin();
    return { ...record.value, wallets: record.value.wallets.filter(({ leaving }) => !leaving) };
  }

  async requireWallet(accountId: string, walletId: string): Promise<void> {
    const record = await this.#accounts.get({ id: accountId });
    if (!record?.value.wallets.some(({ id, leaving }) => id === walletId && !leaving)) throw notYours();
  }

  /** The ids of the wallets of an account, oldest first. @throws DomainError `LoginRequired` when there is no such account */
  async wallets(accountId: string): Promise<{ present: string[]; leaving: string[] }> {
    const record = await this.#accounts.get({ id: accountId });
    if (!record) throw noLogin();
    const [leaving, present] = [true, false].map((isLeaving) =>
      record.value.wallets.filter((wallet) => (wallet.leaving === true) === isLeaving).map(({ id }) => id),
    );
    return { present: present ?? [], leaving: leaving ?? [] };
  }

  /** Gives an account another wallet. @throws DomainError `Conflict` for one too many */
  async addWallet(accountId: string, walletId: string): Promise<void> {
    const wallet = { id: walletId, name: 'Wallet', createdAt: this.parts.clock.now() };
    await this.#changeWallets(accountId, (wallets) => {
      if (wallets.length >= MAX_ACCOUNT_WALLETS)
        throw new DomainError(
          'Conflict',
          `An account may have at most ${MAX_ACCOUNT_WALLETS} wallets; delete one first`,
        );
      return [...wallets, wallet];
    });
  }

  /** Takes a wallet from its account; of several at once one succeeds. @throws DomainError `Forbidden` when it has no such wallet */
  async beginRemoval(accountId: string, walletId: string): Promise<void> {
    await this.#changeWallets(accountId, (wallets) => {
      if (!wallets.some(({ id, leaving }) => id === walletId && !leaving)) throw notYours();
      return wallets.map((wallet) => (wallet.id === walletId ? { ...wallet, leaving: true as const } : wallet));
    });
  }

  /** Forgets a wallet that was taken and whose contents are gone. */
  async endRemoval(accountId: string, walletId: string): Promise<void> {
    await this.#changeWallets(accountId, (wallets) => wallets.filter(({ id }) => id !== walletId));
  }

  async #changeWallets(id: string, change: (wallets: Wallet[]) => Wallet[]): Promise<void> {
    const changed = await update({
      collection: this.#accounts,
      key: { id },
      change: (account) => ({ ...account, wallets: change(account.wallets) }),
    });
    if (!changed) throw noLogin();
  }

  /** Creates an account, with one wallet unless it is to have none. @throws DomainError `Conflict` when the identity has an account */
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

  #draft({ name, email, isWithoutWallet }: Pick<NewAccount, 'name' | 'email' | 'isWithoutWallet'>): Account {
    const { clock, ids } = this.parts;
    const createdAt = clock.now();
    const wallet = { id: ids.uuid(), name: name ? `Wallet of ${name}` : 'Wallet', createdAt };
    return {
      id: ids.uuid(),
      createdAt,
      ...(name && { name }),
      ...(email && { email }),
      wallets: isWithoutWallet ? [] : [wallet],
    };
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

const noLogin = (): DomainError => new DomainError('LoginRequired', 'Login required');

const notYours = (): DomainError => new DomainError('Forbidden', 'This account does not have access to the wallet');
