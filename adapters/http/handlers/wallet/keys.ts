import { at } from '../../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../../domain/foundation/time.ts';
import type { KeySummary } from '../../../../domain/holdings/keys.ts';
import { KEY_TYPES } from '../../../../domain/jose/key-types.ts';
import { done, type Handlers, originOf, reply, replyToBody } from '../../messages/operations.ts';
import { ownKey } from './input.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-keys'>>;

/** The operations on keys. */
export const keyHandlers = ({ keys }: WalletServices) =>
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
