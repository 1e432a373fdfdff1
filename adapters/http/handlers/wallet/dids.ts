import { at } from '../../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../../domain/foundation/time.ts';
import type { DidSummary } from '../../../../domain/holdings/dids.ts';
import { type Handlers, originOf } from '../../messages/operations.ts';
import { ownWallet } from './access.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-keys'>>;

/** The operations on DIDs. */
export const didHandlers = ({ access, dids, didImports, didRegistry }: WalletServices) =>
  ({
    listWalletDids: async (input) => {
      const walletId = await ownWallet(access, input);
      return { status: 200, body: (await dids.list(walletId)).map(didView) };
    },
    createWalletDid: async (input) => {
      const walletId = await ownWallet(access, input);
      const { keyId, alias, ...config } = input.query;
      const wanted = { method: input.path.method, keyId, alias, config, origin: originOf(input.caller) };
      const place = { method: ['path', 'method'], keyId: ['query', 'keyId'], config: ['query'] };
      return { status: 200, body: await at(place, () => dids.create(walletId, wanted)) };
    },
    importWalletDid: async (input) => {
      const walletId = await ownWallet(access, input);
      return { status: 200, body: await at(['body'], () => didImports.import(walletId, input.body)) };
    },
    setDefaultWalletDid: async (input) => {
      await dids.makeDefault(await ownWallet(access, input), input.query.did);
      return { status: 202 };
    },
    getWalletDid: async (input) => {
      const walletId = await ownWallet(access, input);
      return { status: 200, body: await dids.document(walletId, input.path.did) };
    },
    deleteWalletDid: async (input) => {
      await dids.remove(await ownWallet(access, input), input.path.did);
      return { status: 202 };
    },
    listPublishedDids: async (input) => {
      const page = await input.query(didRegistry.readPage);
      return { status: 200, body: await didRegistry.list(page) };
    },
    getPublishedDid: async (input) => ({ status: 200, body: await didRegistry.document(input.path.id) }),
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
