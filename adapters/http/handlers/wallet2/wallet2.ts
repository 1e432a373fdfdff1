import type { WalletShape } from '../../../../domain/holdings/places/wallet-stores.ts';
import { done, type Handlers, reply, replyToBody } from '../../messages/operations.ts';
import { accountHandlers } from './accounts.ts';
import { credentialHandlers, didHandlers, keyHandlers } from './holdings.ts';
import { presentingHandlers } from './presenting.ts';
import { receivingHandlers } from './receiving.ts';
import type { Wallet2Services } from './services.ts';

/** Wallet API 2. */
export const wallet2Handlers = (services: Wallet2Services): Handlers<'wallet2'> & Handlers<'wallet2-exchange'> => ({
  ...walletHandlers(services),
  ...storeHandlers(services),
  ...keyHandlers(services),
  ...didHandlers(services),
  ...credentialHandlers(services),
  ...receivingHandlers(services),
  ...presentingHandlers(services),
  ...accountHandlers(services),
});

const walletHandlers = ({ wallets }: Wallet2Services) =>
  ({
    createWallet: replyToBody(201, async ({ body, caller }) => {
      const { staticKey, ...wanted } = body ?? {};
      const walletId = await wallets.create(caller.accountId, { ...wanted, staticKey: staticKey?.jwk });
      return { walletId };
    }),
    listWallets: reply(200, ({ caller }) => wallets.list(caller.accountId)),
    describeWallet: reply(200, async ({ walletId }) => {
      const { defaultKeyId, defaultDidId, ...shape } = await wallets.describe(walletId);
      const defaults = { ...(defaultKeyId && { defaultKeyId }), ...(defaultDidId && { defaultDidId }) };
      return { walletId, ...shapeView(shape), ...defaults };
    }),
    deleteWallet: done(204, ({ walletId, caller }) => wallets.remove(caller.accountId, walletId)),
  }) satisfies Partial<Handlers<'wallet2'>>;

const storeHandlers = ({ named }: Wallet2Services) =>
  ({
    listNamedStores: reply(200, ({ path }) => named.list(path.kind)),
    createNamedStore: reply(201, async ({ path: { kind, storeId } }) => {
      await named.create(kind, storeId);
      return { storeId };
    }),
  }) satisfies Partial<Handlers<'wallet2'>>;

function shapeView({ stores: { keys, credentials, dids }, staticKey, staticDid }: WalletShape) {
  const [didStore] = dids;
  return {
    keyStoreCount: keys.length,
    credentialStoreCount: credentials.length,
    hasDidStore: didStore !== undefined,
    hasStaticKey: staticKey !== undefined,
    hasStaticDid: staticDid !== undefined,
    keyStoreIds: keys.map(({ id }) => id),
    credentialStoreIds: credentials.map(({ id }) => id),
    ...(didStore && { didStoreId: didStore.id }),
  };
}
