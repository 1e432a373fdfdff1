import { at } from '../../../domain/foundation/errors.ts';
import type { KeySummary } from '../../../domain/holdings/keys.ts';
import type { Handlers } from '../operations.ts';
import { ownWallet } from './access.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-keys'>>;

/** The operations on keys. */
export const keyHandlers = ({ access, keys }: WalletServices) =>
  ({
    listWalletKeys: async (input) => {
      const walletId = await ownWallet(access, input);
      return { status: 200, body: (await keys.list(walletId)).map(keyView) };
    },
    generateWalletKey: async (input) => {
      const walletId = await ownWallet(access, input);
      const { backend = 'jwk', keyType = 'Ed25519', name, config } = input.body;
      return {
        status: 201,
        body: await at(['body'], () => keys.create(walletId, { backend, keyType, name, config })),
      };
    },
    deleteWalletKey: async (input) => {
      const owner = await ownWallet(access, input);
      await keys.remove({ owner, id: input.path.keyId });
      return { status: 202 };
    },
  }) satisfies Part;

/** A key as existing clients read it; `keyPair` is always empty. */
const keyView = ({ id, keyType, backend, name }: KeySummary) => ({
  algorithm: keyType,
  cryptoProvider: backend,
  keyId: { id },
  keyPair: {},
  keysetHandle: null,
  ...(name && { name }),
});
