import { joseEncryption } from '../../adapters/crypto/message-encryption.ts';
import type { TenantExchange, TenantWalletServices } from '../../adapters/http/handlers/tenancy/tenant-wallet.ts';
import {
  type TenantWallet,
  type TenantWalletParts,
  TenantWallets,
  type WalletOptions,
} from '../../domain/tenancy/services/wallets/tenant-wallets.ts';
import { CredentialGrants } from '../../domain/wallet/delivery/credential-grants.ts';
import { CredentialRenewals } from '../../domain/wallet/delivery/credential-renewals.ts';
import { DeferredTransactions } from '../../domain/wallet/delivery/deferred-transactions.ts';
import { DUE_EVERY_MS } from '../../domain/wallet/delivery/due-marks.ts';
import { RenewedAccess } from '../../domain/wallet/delivery/renewed-access.ts';
import { ClientAuthentication } from '../../domain/wallet/issuance/client-authentication.ts';
import { CredentialRequests } from '../../domain/wallet/issuance/credential-requests.ts';
import { DpopCalls } from '../../domain/wallet/issuance/dpop-calls.ts';
import type { Platform } from '../platform/platform.ts';
import { exchangeServices } from './exchange.ts';
import type { TenantPlatform } from './tenant-areas.ts';
import { deferredCredentials, issuerDirectory, receivingServices } from './wallet-receiving.ts';

/** The wallets of tenants, each of which receives and presents as the wallets of accounts do. */
export function tenantWallets(
  platform: TenantPlatform,
  others: Pick<TenantWalletParts, 'attesters' | 'trustRegistries'>,
): TenantWalletServices {
  const transactions = new DeferredTransactions(platform, 'tenants');
  const grants = new CredentialGrants(platform, 'tenants');
  const clientOfOwner = async (owner: string) => (await receivingOf(owner)).oauth;
  const access: RenewedAccess = new RenewedAccess({ ...platform, clientOf: clientOfOwner });
  const deliveries = [transactions, grants, access];
  const wallets = new TenantWallets({ ...platform, ...others, queries: platform, deliveries });
  const { batchSize } = platform.settings.wallet;
  const keys = { read: (jwk: unknown) => platform.keys.read({ type: 'jwk', jwk }) };
  const holderOf = (wallet: TenantWallet) => ({
    ...wallet,
    keys,
    batchSize,
    ...clientOf(platform, wallet),
  });
  const sharedBy = ({ anchors }: TenantWallet) => ({
    directory: issuerDirectory(platform, anchors),
    transactions,
    grants,
    access,
  });
  const receivingOf = async (owner: string) => {
    const wallet = await wallets.of(owner);
    const [holder, shared] = [holderOf(wallet), sharedBy(wallet)];
    return { ...holder, ...shared, ...receivingServices(platform, holder, shared) };
  };
  const deferred = deferredCredentials(platform, { transactions, access, ...collecting(platform, receivingOf) });
  const renewals = new CredentialRenewals({ ...platform, grants, access, of: receivingOf });
  platform.background.every(DUE_EVERY_MS, 'renewal of credentials of tenants', () => renewals.resume());
  const exchange = async (target: string, options: WalletOptions): Promise<TenantExchange> => {
    const wallet = await wallets.at(target, options);
    const { steps } = exchangeServices(platform, holderOf(wallet), { ...sharedBy(wallet), deferred });
    return { owner: wallet.owner, ...steps };
  };
  const credentialGone = (entry: string) =>
    platform.background.once('notification of a removed credential of a tenant', async () => {
      for (const owner of await wallets.ownersBeside(entry)) {
        const reported = await grants.forget(owner, entry);
        if (reported) await (await receivingOf(owner)).notifications.notify(owner, reported, 'credential_deleted');
      }
    });
  return { wallets, exchange, credentialGone };
}

/** What is delivered later goes to the wallet that waits for it. */
function collecting(
  platform: Platform,
  receivingOf: (owner: string) => Promise<ReturnType<typeof receivingServices>>,
): Pick<Parameters<typeof deferredCredentials>[1], 'offers' | 'requests'> {
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
  return { offers, requests: new CredentialRequests({ ...platform, dpop, encryption: joseEncryption }) };
}

/** The wallet as a client of authorization servers, which its client attester vouches for. */
function clientOf(platform: Platform, { clientId, attest }: TenantWallet) {
  const attester = attest && { attestClient: ({ jwk }: { jwk: Parameters<typeof attest>[0] }) => attest(jwk) };
  return { authentication: new ClientAuthentication({ ...platform, clientId, attester }), attester };
}
