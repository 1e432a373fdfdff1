import { at } from '../../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../../domain/foundation/time.ts';
import type { DidSummary } from '../../../../domain/holdings/dids.ts';
import type { KeySummary } from '../../../../domain/holdings/keys.ts';
import { KEY_TYPES } from '../../../../domain/jose/key-types.ts';
import { done, type Handlers, originOf, reply, replyToBody, replyUncached } from '../../messages/operations.ts';
import { ownKey } from './input.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-keys'>>;

/** The operations on keys. */
export const keyHandlers = ({ keys, keyExports, keySigning }: WalletServices) =>
  ({
    listWalletKeys: reply(200, async ({ walletId }) => (await keys.list(walletId)).map(keyView)),
    generateWalletKey: replyToBody(201, ({ walletId, body, caller }) => {
      const { backend = 'jwk', keyType = 'Ed25519', name, config } = body;
      return keys.create(walletId, { backend, keyType, name, config, ...originOf(caller) });
    }),
    importWalletKey: reply(201, async ({ walletId, query, body }) => {
      const reference = await at({ jwk: ['body'] }, () => keys.read(body));
      return keys.adopt(walletId, { reference, name: query.alias });
    }),
    describeWalletKey: reply(200, async (input) => factsView(await keys.describe(ownKey(input)))),
    removeWalletKey: done(202, (input) => keys.forget(ownKey(input))),
    deleteWalletKey: done(202, (input) => keys.remove(ownKey(input))),
    loadWalletKey: replyUncached(200, (input) => keyExports.show(ownKey(input))),
    exportWalletKey: replyUncached(200, (input) => {
      const { format = 'JWK', loadPrivateKey = false } = input.query;
      return at(['query'], () => keyExports.write(ownKey(input), { format, loadPrivateKey }));
    }),
    signWithWalletKey: replyToBody(200, ({ walletId, path, body }) => keySigning.sign(walletId, path.keyId, body)),
    verifyWithWalletKey: reply(200, ({ walletId, query: { JWK: jwk }, body: token }) =>
      at({ jwk: ['query', 'JWK'], token: ['body'] }, () => keySigning.verify(walletId, { jwk, token })),
    ),
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

const factsView = ({ id, keyType, backend, name, createdAt }: KeySummary) => ({
  type: backend,
  keyId: id,
  keyType,
  algorithm: KEY_TYPES[keyType].alg,
  ...(name && { name }),
  createdOn: isoMillis(createdAt),
});

/** The operations on DIDs. */
export const didHandlers = ({ dids, didImports, didRegistry }: WalletServices) =>
  ({
    listWalletDids: reply(200, async ({ walletId }) => (await dids.list(walletId)).map(didView)),
    createWalletDid: async ({ walletId, path, query, caller }) => {
      const { keyId, alias, ...config } = query;
      const wanted = { method: path.method, keyId, alias, config, origin: originOf(caller) };
      const place = { method: ['path', 'method'], keyId: ['query', 'keyId'], config: ['query'] };
      return { status: 200, body: await at(place, () => dids.create(walletId, wanted)) };
    },
    importWalletDid: replyToBody(200, ({ walletId, body }) => didImports.import(walletId, body)),
    setDefaultWalletDid: done(202, ({ walletId, query }) => dids.makeDefault(walletId, query.did)),
    getWalletDid: reply(200, ({ walletId, path }) => dids.document(walletId, path.did)),
    deleteWalletDid: done(202, ({ walletId, path }) => dids.remove(walletId, path.did)),
    listPublishedDids: reply(200, async ({ query }) => didRegistry.list(await query(didRegistry.readPage))),
    getPublishedDid: reply(200, ({ path }) => didRegistry.document(path.id)),
  }) satisfies Part;

/** A DID as existing clients read it; its document is JSON text. */
const didView = ({ did, alias, document, keyId, isDefault, createdAt }: DidSummary) => ({
  did,
  alias,
  document: JSON.stringify(document),
  keyId,
  default: isDefault,
  createdOn: isoMillis(createdAt),
});
