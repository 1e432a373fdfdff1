import { joseEncryption } from '../../adapters/crypto/message-encryption.ts';
import type { ExchangePolicies, HolderCredentials, HolderDids } from '../../domain/holdings/holder.ts';
import { RegistrationCertificates } from '../../domain/trust/registration-certificates.ts';
import { rootAnchors, type TrustAnchor } from '../../domain/trust/trust-anchors.ts';
import { DeferredCredentials } from '../../domain/wallet/delivery/deferred-credentials.ts';
import type { DeferredTransactions } from '../../domain/wallet/delivery/deferred-transactions.ts';
import { DeliveredNotes } from '../../domain/wallet/delivery/delivered-notes.ts';
import { DUE_EVERY_MS } from '../../domain/wallet/delivery/due-marks.ts';
import { IssuerNotifications } from '../../domain/wallet/delivery/issuer-notifications.ts';
import type { RenewedAccess } from '../../domain/wallet/delivery/renewed-access.ts';
import { CredentialRequests } from '../../domain/wallet/issuance/credential-requests.ts';
import { DpopCalls } from '../../domain/wallet/issuance/dpop-calls.ts';
import { EmbeddedImages } from '../../domain/wallet/issuance/embedded-images.ts';
import { InterruptedOffers } from '../../domain/wallet/issuance/interrupted-offers.ts';
import { IssuanceClient } from '../../domain/wallet/issuance/issuance-client.ts';
import { IssuerDirectory } from '../../domain/wallet/issuance/issuer-directory.ts';
import { OauthClient } from '../../domain/wallet/issuance/oauth-client.ts';
import { type GrantStore, OfferRedemption } from '../../domain/wallet/issuance/offer-redemption.ts';
import { IssuerRegistrations } from '../../domain/wallet/issuers/issuer-registrations.ts';
import { SignedMetadata } from '../../domain/wallet/issuers/signed-metadata.ts';
import type { Platform } from '../platform/platform.ts';
import type { walletClient } from './wallet-client.ts';

/** Who receives: the wallets of accounts, or one wallet of a tenant. */
export interface Recipient extends ReturnType<typeof walletClient> {
  dids: HolderDids;
  credentials: HolderCredentials;
  policies: ExchangePolicies;
  /** How many copies of a credential it takes. */
  batchSize: number;
}

/** What recipients have in common. */
export interface SharedReceiving {
  directory: IssuerDirectory;
  transactions: DeferredTransactions;
  grants: GrantStore;
  access: RenewedAccess;
}

/** Reads what issuers publish, signed by those below the authorities; by default those of the operator. */
export function issuerDirectory(platform: Platform, authorities?: readonly TrustAnchor[]): IssuerDirectory {
  const { certificates, outbound, settings } = platform;
  const { signedIssuerMetadata: demand, issuerAuthorities, registrars } = settings.wallet;
  const anchors = authorities ?? rootAnchors(issuerAuthorities, certificates);
  const certified = new RegistrationCertificates({ ...platform, registrars: rootAnchors(registrars, certificates) });
  const registrations = new IssuerRegistrations({ registrations: certified });
  return new IssuerDirectory(outbound, new SignedMetadata({ ...platform, anchors, demand, registrations }));
}

/** How credentials are received. */
export function receivingServices(
  platform: Platform,
  { dids, credentials, policies, ...client }: Recipient,
  { directory, transactions, grants, access }: SharedReceiving,
) {
  const { outbound, clock, dids: resolver } = platform;
  const dpop = new DpopCalls(platform);
  const requests = new CredentialRequests({ ...platform, dpop, encryption: joseEncryption });
  const { batchSize, authentication, attester } = client;
  const issuing = { ...platform, directory, requests, dpop, access, batchSize, authentication, attester };
  const issuance = new IssuanceClient(issuing);
  const images = new EmbeddedImages(outbound);
  const oauth = new OauthClient(issuing);
  const notifications = new IssuerNotifications({ ...platform, dpop, access });
  const interrupted = new InterruptedOffers(platform);
  const kept = { interrupted, deferrals: transactions, grants };
  const holder = { dids, credentials, policies };
  const receiving = { ...platform, ...holder, client: issuance, images, resolver, notifications, ...kept };
  const offers = new OfferRedemption(receiving, outbound, clock);
  return { issuing: { ...issuing, interrupted }, oauth, client: issuance, images, notifications, offers };
}

/** Collects what issuers deliver later, when it is asked to and by itself. */
export function deferredCredentials(
  platform: Platform,
  parts: Pick<ConstructorParameters<typeof DeferredCredentials>[0], 'transactions' | 'offers' | 'requests' | 'access'>,
): DeferredCredentials {
  const { outbound, background } = platform;
  const deferred = new DeferredCredentials({ ...platform, ...parts, notes: new DeliveredNotes(platform) }, outbound);
  background.every(DUE_EVERY_MS, 'deferred credentials', () => deferred.resume());
  return deferred;
}
