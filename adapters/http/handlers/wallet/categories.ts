import { at } from '../../../../domain/foundation/errors.ts';
import type { Handlers } from '../../messages/operations.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-credentials'>>;

/** The operations on categories, and on those of a credential. */
export const categoryHandlers = ({ categories, credentials }: WalletServices) =>
  ({
    listWalletCategories: async (input) => {
      const list = await categories.list(input.walletId);
      return { status: 200, body: list.categories.map(({ name }) => ({ name })) };
    },
    addWalletCategory: async (input) => {
      await categories.add(input.walletId, input.path.name);
      return { status: 201 };
    },
    deleteWalletCategory: async (input) => {
      await categories.remove(input.walletId, input.path.name);
      return { status: 202 };
    },
    renameWalletCategory: async (input) => {
      const { name: from, newName: to } = input.path;
      await categories.rename(input.walletId, { from, to });
      return { status: 202 };
    },
    addWalletCredentialCategories: async (input) => {
      const { walletId } = input;
      await at(['body'], () => credentials.categorise(walletId, input.path.credentialId, { add: input.body }));
      return { status: 201 };
    },
    removeWalletCredentialCategories: async (input) => {
      const { walletId } = input;
      await at(['body'], () => credentials.categorise(walletId, input.path.credentialId, { remove: input.body }));
      return { status: 202 };
    },
  }) satisfies Part;
