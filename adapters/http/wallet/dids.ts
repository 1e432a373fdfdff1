import { isoMillis } from '../../../domain/foundation/time.ts';
import type { DidSummary } from '../../../domain/holdings/dids.ts';
import type { Handlers } from '../operations.ts';
import { ownWallet } from './access.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-keys'>>;

/** The operations on DIDs. */
export const didHandlers = ({ access, dids }: WalletServices) =>
  ({
    listWalletDids: async (input) => {
      const walletId = await ownWallet(access, input);
      return { status: 200, body: (await dids.list(walletId)).map(didView) };
    },
    createWalletDid: async (input) => {
      const walletId = await ownWallet(access, input);
      return { status: 200, body: await dids.create(walletId, { method: input.path.method, ...input.query }) };
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
