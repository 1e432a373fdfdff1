import { joseEncryption } from '../../adapters/crypto/message-encryption.ts';
import type { TenantExchange, TenantWalletServices } from '../../adapters/http/handlers/tenancy/tenant-wallet.ts';
import {
  type TenantWallet,
  type TenantWalletParts,
  TenantWallets,
  type WalletOptions,
} from '../../domain/tenancy/services/wallets/tenant-wallets.ts';
import { DeferredTransactions } from '../../domain/wallet/delivery/deferred-transactions.ts';
import { ClientAuthentication } from '../../domain/wallet/issuance/client-authentication.ts';
import { CredentialRequests } from '../../domain/wallet/issuance/credential-requests.ts';
import { DpopCalls } from '../../domain/wallet/issuance/dpop-calls.ts';
import { IssuerDirectory } from '../../domain/wallet/issuance/issuer-directory.ts';
import type { Platform } from '../platform/platform.ts';
import { exchangeServices } from './exchange.ts';
import type { TenantPlatform } from './tenant-areas.ts';
import { deferredCredentials, receivingServices } from './wallet-receiving.ts';

/** A wallet of a tenant takes one copy of each credential. */
const BATCH_SIZE = 1;

/** The wallets of tenants, each of which receives and presents as the wallets of accounts do. */
export function tenantWallets(
  platform: TenantPlatform,
  others: Pick<TenantWalletParts, 'attesters' | 'trustRegistries'>,
): TenantWalletServices {
  const wallets = new TenantWallets({ ...platform, ...others, queries: platform });
  const keys = { read: (jwk: unknown) => platform.keys.read({ type: 'jwk', jwk }) };
  const holderOf = (wallet: TenantWallet) => ({
    ...wallet,
    keys,
    batchSize: BATCH_SIZE,
    ...clientOf(platform, wallet),
  });
  const directory = new IssuerDirectory(platform.outbound);
  const transactions = new DeferredTransactions(platform, 'tenants');
  // What is granted to wallets of tenants is not used after it.
  const grants = { keep: async () => {} };
  const receivingOf = async (owner: string) =>
    receivingServices(platform, holderOf(await wallets.of(owner)), { directory, transactions, grants });
  const deferred = deferredCredentials(platform, { transactions, ...collecting(platform, receivingOf) });
  const exchange = async (target: string, options: WalletOptions): Promise<TenantExchange> => {
    const wallet = await wallets.at(target, options);
    const { steps } = exchangeServices(platform, holderOf(wallet), { directory, transactions, grants, deferred });
    return { owner: wallet.owner, ...steps };
  };
  return { wallets, exchange };
}

/** What is delivered later goes to the wallet that waits for it. */
function collecting(
  platform: Platform,
  receivingOf: (owner: string) => Promise<ReturnType<typeof receivingServices>>,
): Omit<Parameters<typeof deferredCredentials>[1], 'transactions'> {
  const offersOf = async (owner: string) => (await receivingOf(owner)).offers;
  const offers: Parameters<typeof deferredCredentials>[1]['offers'] = {
    requireRoom: async (owner) => (await offersOf(owner)).requireRoom(owner),
    store: async (owner, delivery) => (await offersOf(owner)).store(owner, delivery),
    note: async (owner, received, issuer) => (await offersOf(owner)).note(owner, received, issuer),
    report: (owner, ...reported) =>
      platform.background.once('notification of an issuer', async () =>
        (await receivingOf(owner)).notifications.notify(owner, ...reported),
      ),
  };
  const dpop = new DpopCalls(platform);
  return {
    offers,
    access: { send: async (owner, ...call) => (await receivingOf(owner)).access.send(owner, ...call) },
    requests: new CredentialRequests({ ...platform, dpop, encryption: joseEncryption }),
  };
}

/** The wallet as a client of authorization servers, which its client attester vouches for. */
function clientOf(platform: Platform, { clientId, attest }: TenantWallet) {
  const attester = attest && { attestClient: ({ jwk }: { jwk: Parameters<typeof attest>[0] }) => attest(jwk) };
  return { authentication: new ClientAuthentication({ ...platform, clientId, attester }), attester };
}
