import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import { DomainError } from '../../foundation/errors.ts';
import { readAll, update } from '../../foundation/records.ts';
import type { WalletOwners } from './wallet-owners.ts';

interface OperatorWallet {
  /** Whether it is being deleted. */
  leaving?: true;
}

const WALLETS: CollectionSpec<OperatorWallet> = {
  name: 'operator-wallets',
  listed: true,
  sealed: false,
  afterRestore: 'kept',
};

/** The most wallets that are created without accounts. */
export const MAX_OPERATOR_WALLETS = 10_000;

/** The wallets that are created without accounts: every caller is the operator, who owns them all. */
export class OperatorWallets implements WalletOwners {
  readonly #wallets: Collection<OperatorWallet>;

  constructor({ store }: { store: Store }) {
    this.#wallets = store.collection(WALLETS);
  }

  async has(walletId: string): Promise<boolean> {
    const wallet = await this.#wallets.get(keyOf(walletId));
    return wallet !== undefined && !wallet.value.leaving;
  }

  /** @throws DomainError `NotFound` */
  async requireWallet(_owner: string, walletId: string): Promise<void> {
    if (!(await this.has(walletId))) throw noWallet();
  }

  async wallets(): Promise<{ present: string[]; leaving: string[] }> {
    const all = await readAll({ collection: this.#wallets, parent: '' });
    const ids = (isLeaving: boolean): string[] =>
      all.filter(({ value }) => (value.leaving === true) === isLeaving).map(({ id }) => id);
    return { present: ids(false), leaving: ids(true) };
  }

  /** Requests at once may pass the limit by their number. */
  async addWallet(_owner: string, walletId: string): Promise<void> {
    const most = MAX_OPERATOR_WALLETS;
    const last = await this.#wallets.ids({ parent: '', order: 'id', offset: most - 1, limit: 1 });
    if (last.length > 0) throw new DomainError('Conflict', `There may be at most ${most} wallets; delete one first`);
    await this.#wallets.insert({ ...keyOf(walletId), value: {} });
  }

  async beginRemoval(_owner: string, walletId: string): Promise<void> {
    const change = ({ leaving }: OperatorWallet): OperatorWallet => {
      if (leaving) throw noWallet();
      return { leaving: true };
    };
    if (!(await update({ collection: this.#wallets, key: keyOf(walletId), change }))) throw noWallet();
  }

  async endRemoval(_owner: string, walletId: string): Promise<void> {
    await this.#wallets.remove(keyOf(walletId));
  }
}

const keyOf = (id: string) => ({ id, parent: '' });

const noWallet = (): DomainError => new DomainError('NotFound', 'There is no such wallet');
