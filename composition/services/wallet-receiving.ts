import { joseEncryption } from '../../adapters/crypto/message-encryption.ts';
import { DeferredCredentials } from '../../domain/wallet/delivery/deferred-credentials.ts';
import { DeferredTransactions } from '../../domain/wallet/delivery/deferred-transactions.ts';
import { DeliveredNotes } from '../../domain/wallet/delivery/delivered-notes.ts';
import { DUE_EVERY_MS } from '../../domain/wallet/delivery/due-marks.ts';
import { IssuerNotifications } from '../../domain/wallet/delivery/issuer-notifications.ts';
import { CredentialRequests } from '../../domain/wallet/issuance/credential-requests.ts';
import { DpopCalls } from '../../domain/wallet/issuance/dpop-calls.ts';
import { EmbeddedImages } from '../../domain/wallet/issuance/embedded-images.ts';
import { InterruptedOffers } from '../../domain/wallet/issuance/interrupted-offers.ts';
import { IssuanceClient } from '../../domain/wallet/issuance/issuance-client.ts';
import { IssuerDirectory } from '../../domain/wallet/issuance/issuer-directory.ts';
import { OfferRedemption } from '../../domain/wallet/issuance/offer-redemption.ts';
import type { Holdings } from '../../domain/wallet/setup.ts';
import type { Platform } from '../platform/platform.ts';
import { walletClient } from './wallet-client.ts';

/** How wallets receive credentials: at once, and what issuers deliver later. */
export function receivingServices(platform: Platform, { dids, credentials }: Pick<Holdings, 'dids' | 'credentials'>) {
  const { outbound, clock, dids: resolver, background, settings } = platform;
  const { batchSize } = settings.wallet;
  const directory = new IssuerDirectory(outbound);
  const dpop = new DpopCalls(platform);
  const requests = new CredentialRequests({ ...platform, dpop, encryption: joseEncryption });
  const issuing = { ...platform, directory, requests, dpop, batchSize, ...walletClient(platform) };
  const client = new IssuanceClient(issuing);
  const images = new EmbeddedImages(outbound);
  const transactions = new DeferredTransactions(platform);
  const notes = new DeliveredNotes(platform);
  const notifications = new IssuerNotifications({ ...platform, dpop });
  const kept = { interrupted: new InterruptedOffers(platform), deferrals: transactions };
  const receiving = { ...platform, dids, credentials, client, images, resolver, notifications, ...kept };
  const offers = new OfferRedemption(receiving, outbound, clock);
  const deferred = new DeferredCredentials({ ...platform, transactions, notes, requests, offers }, outbound);
  background.every(DUE_EVERY_MS, 'deferred credentials', () => deferred.resume());
  return { issuing, client, images, offers, deferred };
}
