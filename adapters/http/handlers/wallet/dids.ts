import { at } from '../../../../domain/foundation/errors.ts';
import { isoMillis } from '../../../../domain/foundation/time.ts';
import type { DidSummary } from '../../../../domain/holdings/dids.ts';
import { done, type Handlers, originOf, reply, replyToBody } from '../../messages/operations.ts';
import type { WalletServices } from './services.ts';

type Part = Partial<Handlers<'wallet-keys'>>;

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
