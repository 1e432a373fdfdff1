import { at } from '../../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../../domain/foundation/time.ts';
import type { DidSummary } from '../../../../domain/holdings/dids.ts';
import { type Handlers, originOf } from '../../messages/operations.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-keys'>>;

/** The operations on DIDs. */
export const didHandlers = ({ dids, didImports, didRegistry }: WalletServices) =>
  ({
    listWalletDids: async (input) => {
      const { walletId } = input;
      return { status: 200, body: (await dids.list(walletId)).map(didView) };
    },
    createWalletDid: async (input) => {
      const { walletId } = input;
      const { keyId, alias, ...config } = input.query;
      const wanted = { method: input.path.method, keyId, alias, config, origin: originOf(input.caller) };
      const place = { method: ['path', 'method'], keyId: ['query', 'keyId'], config: ['query'] };
      return { status: 200, body: await at(place, () => dids.create(walletId, wanted)) };
    },
    importWalletDid: async (input) => {
      const { walletId } = input;
      return { status: 200, body: await at(['body'], () => didImports.import(walletId, input.body)) };
    },
    setDefaultWalletDid: async (input) => {
      await dids.makeDefault(input.walletId, input.query.did);
      return { status: 202 };
    },
    getWalletDid: async (input) => {
      const { walletId } = input;
      return { status: 200, body: await dids.document(walletId, input.path.did) };
    },
    deleteWalletDid: async (input) => {
      await dids.remove(input.walletId, input.path.did);
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
