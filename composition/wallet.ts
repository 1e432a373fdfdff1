import type { WalletServices } from '../adapters/http/wallet.ts';
import type { Accounts, WalletProvisioner } from '../domain/accounts/accounts.ts';
import { IssuanceClient } from '../domain/wallet/issuance-client.ts';
import { IssuerDirectory } from '../domain/wallet/issuer-directory.ts';
import { OfferRedemption } from '../domain/wallet/offer-redemption.ts';
import { PresentationClient } from '../domain/wallet/presentation-client.ts';
import { PresentationRequests } from '../domain/wallet/presentation-request.ts';
import { readRegistrationDefaults, WalletSetup } from '../domain/wallet/setup.ts';
import { WalletCredentials } from '../domain/wallet/wallet-credentials.ts';
import { WalletDids } from '../domain/wallet/wallet-dids.ts';
import { WalletKeys } from '../domain/wallet/wallet-keys.ts';
import type { Platform } from './platform.ts';

/** The wallet as holder: keys, DIDs, credentials and their exchange. */
export function walletServices(platform: Platform, access: Accounts): WalletServices {
  const { store, outbound, formats, clock, dids: resolver } = platform;
  const { keys, dids } = holdings(platform);
  const credentials = new WalletCredentials(store, formats, clock);
  const issuers = new IssuerDirectory(outbound);
  const client = new IssuanceClient(outbound, issuers, formats, clock);
  const requests = new PresentationRequests(outbound, { ...platform, resolver });
  const presenting = { ...platform, dids, credentials, requests, matching: platform };
  return {
    access,
    keys,
    dids,
    credentials,
    offers: new OfferRedemption({ dids, credentials, client, formats, resolver }, outbound, clock),
    issuers,
    presentations: new PresentationClient(presenting, outbound),
  };
}

/** Fills new wallets with the key and the DID of registration-defaults.conf. */
export function walletSetup(platform: Platform): WalletProvisioner {
  const { keys, dids, defaults } = holdings(platform);
  return new WalletSetup(platform.store, keys, dids, defaults);
}

function holdings({ settings, store, keys: backends }: Platform) {
  const defaults = readRegistrationDefaults(settings.registrationDefaults);
  const keys = new WalletKeys(store, backends, settings.keyGenerationDefaults);
  return { keys, dids: new WalletDids(store, keys, backends, defaults.defaultKeyConfig), defaults };
}
