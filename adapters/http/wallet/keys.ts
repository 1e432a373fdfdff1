import { at } from '../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../domain/foundation/time.ts';
import type { KeySummary } from '../../../domain/holdings/keys.ts';
import type { OwnedKey } from '../../../domain/holdings/stored-keys.ts';
import { KEY_TYPES } from '../../../domain/keys/key-types.ts';
import { type Handlers, NO_STORE } from '../operations.ts';
import { ownWallet, type WalletInput } from './access.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-keys'>>;

/** The operations on keys. */
export const keyHandlers = ({ access, keys, keyExports, keySigning }: WalletServices) => {
  const keyOf = async (input: WalletInput & { path: { keyId: string } }): Promise<OwnedKey> => ({
    owner: await ownWallet(access, input),
    id: input.path.keyId,
  });
  return {
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
    importWalletKey: async (input) => {
      const owner = await ownWallet(access, input);
      const reference = await at({ jwk: ['body'] }, () => keys.read(input.body));
      return { status: 201, body: await keys.adopt(owner, { reference, name: input.query.alias }) };
    },
    verifyWithWalletKey: async (input) => {
      const owner = await ownWallet(access, input);
      const place = { jwk: ['query', 'JWK'], token: ['body'] };
      const check = { jwk: input.query.JWK, token: input.body };
      return { status: 200, body: await at(place, () => keySigning.verify(owner, check)) };
    },
    loadWalletKey: async (input) => {
      const key = await keyOf(input);
      return { status: 200, headers: NO_STORE, body: await keyExports.load(key) };
    },
    describeWalletKey: async (input) => {
      const key = await keyOf(input);
      return { status: 200, body: factsView(await keys.describe(key)) };
    },
    exportWalletKey: async (input) => {
      const key = await keyOf(input);
      const { format = 'JWK', loadPrivateKey = false } = input.query;
      const text = await at(['query'], () => keyExports.write(key, { format, loadPrivateKey }));
      return { status: 200, headers: NO_STORE, body: text };
    },
    removeWalletKey: async (input) => {
      await keys.forget(await keyOf(input));
      return { status: 202 };
    },
    signWithWalletKey: async (input) => {
      const { owner, id } = await keyOf(input);
      return { status: 200, body: await at(['body'], () => keySigning.sign(owner, id, input.body)) };
    },
    deleteWalletKey: async (input) => {
      await keys.remove(await keyOf(input));
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
