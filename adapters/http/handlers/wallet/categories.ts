import { at } from '../../../../domain/foundation/errors.ts';
import { done, type Handlers, reply } from '../../messages/operations.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-credentials'>>;

/** The operations on categories, and on those of a credential. */
export const categoryHandlers = ({ categories, credentials }: WalletServices) =>
  ({
    listWalletCategories: reply(200, async ({ walletId }) =>
      (await categories.list(walletId)).categories.map(({ name }) => ({ name })),
    ),
    addWalletCategory: done(201, ({ walletId, path }) => categories.add(walletId, path.name)),
    deleteWalletCategory: done(202, ({ walletId, path }) => categories.remove(walletId, path.name)),
    renameWalletCategory: done(202, ({ walletId, path: { name: from, newName: to } }) =>
      categories.rename(walletId, { from, to }),
    ),
    addWalletCredentialCategories: done(201, ({ walletId, path, body }) =>
      at(['body'], () => credentials.categorise(walletId, path.credentialId, { add: body })),
    ),
    removeWalletCredentialCategories: done(202, ({ walletId, path, body }) =>
      at(['body'], () => credentials.categorise(walletId, path.credentialId, { remove: body })),
    ),
  }) satisfies Part;
