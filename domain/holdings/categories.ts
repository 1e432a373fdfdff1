import type { Collection, Store } from '../../ports/store.ts';
import { readAll, update, upsert } from '../foundation/records.ts';
import { addCategory, type CategoryList, NO_CATEGORIES, removeCategory, renameCategory } from './category-list.ts';
import type { WalletStores } from './places/wallet-stores.ts';
import { type CredentialRecord, WALLET_CATEGORIES, WALLET_CREDENTIALS } from './records.ts';

/** The categories of wallets, each in the wallet that owns it. */
export class Categories {
  readonly #lists: Collection<CategoryList>;
  readonly #credentials: Collection<CredentialRecord>;

  constructor({ store, stores }: { store: Store; stores: WalletStores }) {
    this.#lists = store.collection(WALLET_CATEGORIES);
    this.#credentials = stores.collection('credentials', WALLET_CREDENTIALS);
  }

  async list(owner: string): Promise<CategoryList> {
    return (await this.#lists.get({ id: owner }))?.value ?? NO_CATEGORIES;
  }

  /** @throws DomainError `Conflict` for a name in use, `BadRequest` for one category too many */
  async add(owner: string, name: string): Promise<void> {
    await this.#change(owner, (list) => addCategory(list, name));
  }

  /** Keeps the credentials of the category in it. @throws DomainError `NotFound`, `Conflict` for a new name in use */
  async rename(owner: string, names: { from: string; to: string }): Promise<void> {
    await this.#change(owner, (list) => renameCategory(list, names));
  }

  /**
   * Removes a category, and then the references of credentials to it. A reference that a failure leaves behind is never
   * shown, since the id is not used again. @throws DomainError `NotFound`
   */
  async remove(owner: string, name: string): Promise<void> {
    let removed = '';
    await this.#change(owner, (before) => {
      const { list, id } = removeCategory(before, name);
      removed = id;
      return list;
    });
    const change = (value: CredentialRecord): CredentialRecord => ({
      ...value,
      categoryIds: value.categoryIds?.filter((id) => id !== removed),
    });
    for (const { id, value } of await readAll({ collection: this.#credentials, parent: owner }))
      if (value.categoryIds?.includes(removed))
        await update({ collection: this.#credentials, key: { id, parent: owner }, change });
  }

  async removeAll(owner: string): Promise<void> {
    await this.#lists.remove({ id: owner });
  }

  /** Changes the list of a wallet, which begins empty; of several first changes at once each takes effect. */
  #change(owner: string, change: (list: CategoryList) => CategoryList): Promise<CategoryList> {
    return upsert({ collection: this.#lists, key: { id: owner }, change: (list = NO_CATEGORIES) => change(list) });
  }
}
