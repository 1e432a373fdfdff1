import { at } from '../../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../../domain/foundation/time.ts';
import type { KeySummary } from '../../../../domain/holdings/keys.ts';
import { KEY_TYPES } from '../../../../domain/jose/key-types.ts';
import { type Handlers, originOf } from '../../messages/operations.ts';
import { ownKey } from './input.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-keys'>>;

/** The operations on keys. */
export const keyHandlers = ({ keys }: WalletServices) => {
  return {
    listWalletKeys: async (input) => {
      const { walletId } = input;
      return { status: 200, body: (await keys.list(walletId)).map(keyView) };
    },
    generateWalletKey: async (input) => {
      const { walletId } = input;
      const { backend = 'jwk', keyType = 'Ed25519', name, config } = input.body;
      return {
        status: 201,
        body: await at(['body'], () =>
          keys.create(walletId, { backend, keyType, name, config, ...originOf(input.caller) }),
        ),
      };
    },
    importWalletKey: async (input) => {
      const { walletId: owner } = input;
      const reference = await at({ jwk: ['body'] }, () => keys.read(input.body));
      return { status: 201, body: await keys.adopt(owner, { reference, name: input.query.alias }) };
    },
    describeWalletKey: async (input) => {
      const key = ownKey(input);
      return { status: 200, body: factsView(await keys.describe(key)) };
    },
    removeWalletKey: async (input) => {
      await keys.forget(ownKey(input));
      return { status: 202 };
    },
    deleteWalletKey: async (input) => {
      await keys.remove(ownKey(input));
      return { status: 202 };
    },
  } satisfies Part;
};

/** A key as existing clients read it; `keyPair` is always empty. */
const keyView = ({ id, keyType, backend, name }: KeySummary) => ({
  algorithm: keyType,
  cryptoProvider: backend,
  keyId: { id },
  keyPair: {},
  keysetHandle: null,
  ...(name && { name }),
});

const factsView = ({ id, keyType, backend, name, createdAt }: KeySummary) => ({
  type: backend,
  keyId: id,
  keyType,
  algorithm: KEY_TYPES[keyType].alg,
  ...(name && { name }),
  createdOn: isoMillis(createdAt),
});
