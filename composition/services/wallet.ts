import { OwfMdocReader } from '../../adapters/formats/mdoc/mdoc-reader.ts';
import type { WalletServices } from '../../adapters/http/handlers/wallet/services.ts';
import type { WalletProvisioner } from '../../domain/accounts/accounts.ts';
import { ActivityListing } from '../../domain/holdings/activity-listing.ts';
import { Categories } from '../../domain/holdings/categories.ts';
import { Credentials } from '../../domain/holdings/credentials.ts';
import { DidImports } from '../../domain/holdings/did-imports.ts';
import { DidRegistry } from '../../domain/holdings/did-registry.ts';
import { Dids } from '../../domain/holdings/dids.ts';
import { NO_POLICIES } from '../../domain/holdings/holder.ts';
import { KeyExports } from '../../domain/holdings/key-exports.ts';
import { KeySigning } from '../../domain/holdings/key-signing.ts';
import { Keys } from '../../domain/holdings/keys.ts';
import { WalletSettings } from '../../domain/holdings/wallet-settings.ts';
import { HeldCredentialStatus } from '../../domain/wallet/credential-status.ts';
import { CredentialGrants } from '../../domain/wallet/delivery/credential-grants.ts';
import { DeferredTransactions } from '../../domain/wallet/delivery/deferred-transactions.ts';
import { RenewedAccess } from '../../domain/wallet/delivery/renewed-access.ts';
import { CredentialImport } from '../../domain/wallet/issuance/credential-import.ts';
import { OfferManifests } from '../../domain/wallet/issuance/offer-manifest.ts';
import { TypeMetadata } from '../../domain/wallet/issuance/type-metadata.ts';
import { WalletIssuers } from '../../domain/wallet/issuance/wallet-issuers.ts';
import { CredentialMatching } from '../../domain/wallet/presentation/credential-matching.ts';
import { ExternalPresentations } from '../../domain/wallet/presentation/external-presentations.ts';
import { RequestDescriptions } from '../../domain/wallet/presentation/request-description.ts';
import { type Holdings, WalletSetup } from '../../domain/wallet/setup.ts';
import { ExternalIssuance } from '../../domain/wallet/steps/external-issuance.ts';
import type { Platform } from '../platform/platform.ts';
import { exchangeServices } from './exchange.ts';
import { walletClient } from './wallet-client.ts';
import { grantedServices } from './wallet-grants.ts';
import { issuerDirectory } from './wallet-receiving.ts';

/** The wallet as holder: keys, DIDs, credentials and their exchange. */
export function walletServices(platform: Platform): WalletServices {
  const { outbound, dids: resolver, settings } = platform;
  const { keys, dids, credentials } = holdings(platform);
  const directory = issuerDirectory(platform);
  const { batchSize } = settings.wallet;
  const holder = { keys, dids, credentials, policies: NO_POLICIES, batchSize, ...walletClient(platform) };
  const transactions = new DeferredTransactions(platform, 'accounts');
  const grants = new CredentialGrants(platform, 'accounts');
  const access: RenewedAccess = new RenewedAccess({ ...platform, clientOf: async () => exchange.oauth });
  const { steps, ...exchange } = exchangeServices(platform, holder, { directory, transactions, grants, access });
  const { client, images, offers, deferred, requests, consented, pages, planner, verifiers, presentations } = exchange;
  const importing = { ...platform, keys, dids, credentials, resolver };
  const presenting = { ...platform, dids, credentials, requests, consented, matching: platform };
  return {
    ...steps,
    keys,
    keyExports: new KeyExports({ ...platform, keys }),
    keySigning: new KeySigning({ ...platform, keys, dids }),
    dids,
    didImports: new DidImports({ ...platform, keys, dids, resolver }),
    didRegistry: new DidRegistry(platform),
    credentials,
    categories: new Categories(platform),
    imports: new CredentialImport(importing),
    statuses: new HeldCredentialStatus({ ...platform, credentials }),
    deferred,
    ...grantedServices(platform, { ...exchange, directory, grants, access, dids, credentials }),
    portalUrl: settings.publicUrl,
    external: {
      issuance: new ExternalIssuance({ ...platform, dids, client, offers, resolver }),
      presentations: new ExternalPresentations({ ...platform, planner, consented, verifiers, resolver }),
    },
    manifests: new OfferManifests({ offers, issuers: directory, images }),
    issuers: directory,
    presentations,
    pages,
    matching: new CredentialMatching(presenting),
    activity: new ActivityListing(platform),
    descriptions: new RequestDescriptions(presenting),
    settings: new WalletSettings(platform),
    walletIssuers: new WalletIssuers(platform, directory),
    types: new TypeMetadata(outbound),
    mdocs: new OwfMdocReader(),
    transactionDataProfiles: settings.wallet.transactionDataProfiles,
  };
}

/** Fills new wallets with the key and the DID of registration-defaults.conf. */
export function walletSetup(platform: Platform): WalletProvisioner {
  return new WalletSetup(holdings(platform), platform.settings.registrationDefaults);
}

function holdings(platform: Platform): Holdings {
  const { registrationDefaults, keyGenerationDefaults: configs } = platform.settings;
  const { defaultKeyConfig: defaultKey } = registrationDefaults;
  const keys = new Keys({ ...platform, configs });
  const registry = new DidRegistry(platform);
  const dids = new Dids({ ...platform, keys, registry, defaultKey });
  return { keys, dids, credentials: new Credentials(platform), activity: platform.activity };
}
