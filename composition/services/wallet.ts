import type { Settings } from '../../adapters/config/settings.ts';
import { joseEncryption } from '../../adapters/crypto/message-encryption.ts';
import { OwfMdocReader } from '../../adapters/formats/mdoc/mdoc-reader.ts';
import type { WalletServices } from '../../adapters/http/handlers/wallet/services.ts';
import type { WalletProvisioner } from '../../domain/accounts/accounts.ts';
import { ActivityListing } from '../../domain/holdings/activity-listing.ts';
import { Categories } from '../../domain/holdings/categories.ts';
import { Credentials } from '../../domain/holdings/credentials.ts';
import { DidImports } from '../../domain/holdings/did-imports.ts';
import { DidRegistry } from '../../domain/holdings/did-registry.ts';
import { Dids } from '../../domain/holdings/dids.ts';
import { KeyExports } from '../../domain/holdings/key-exports.ts';
import { KeySigning } from '../../domain/holdings/key-signing.ts';
import { Keys } from '../../domain/holdings/keys.ts';
import { WalletSettings } from '../../domain/holdings/wallet-settings.ts';
import { signatureKeys } from '../../domain/jose/key-set.ts';
import { TrustChains } from '../../domain/trust/federation/trust-chains.ts';
import { rootAnchors } from '../../domain/trust/trust-anchors.ts';
import { HeldCredentialStatus } from '../../domain/wallet/credential-status.ts';
import { CredentialImport } from '../../domain/wallet/issuance/credential-import.ts';
import { ExternalIssuance } from '../../domain/wallet/issuance/external-issuance.ts';
import { IssuerNonces } from '../../domain/wallet/issuance/issuer-nonces.ts';
import { OauthClient } from '../../domain/wallet/issuance/oauth-client.ts';
import { OfferAuthorizations } from '../../domain/wallet/issuance/offer-authorizations.ts';
import { OfferManifests } from '../../domain/wallet/issuance/offer-manifest.ts';
import { PossessionProofs } from '../../domain/wallet/issuance/possession-proofs.ts';
import { TypeMetadata } from '../../domain/wallet/issuance/type-metadata.ts';
import { WalletIssuers } from '../../domain/wallet/issuance/wallet-issuers.ts';
import { ConsentedRequests } from '../../domain/wallet/presentation/consented-requests.ts';
import { CredentialMatching } from '../../domain/wallet/presentation/credential-matching.ts';
import { ExternalPresentations } from '../../domain/wallet/presentation/external-presentations.ts';
import { LoginTokens } from '../../domain/wallet/presentation/login-tokens.ts';
import { PageRequests } from '../../domain/wallet/presentation/page-requests.ts';
import { PresentationClient } from '../../domain/wallet/presentation/presentation-client.ts';
import { PresentationPlanner } from '../../domain/wallet/presentation/presentation-plan.ts';
import { PresentationRequests } from '../../domain/wallet/presentation/presentation-request.ts';
import { RequestDescriptions } from '../../domain/wallet/presentation/request-description.ts';
import { usablePrefixes } from '../../domain/wallet/presentation/request-signature.ts';
import { VerifierEndpoint } from '../../domain/wallet/presentation/verifier-endpoint.ts';
import { type Holdings, WalletSetup } from '../../domain/wallet/setup.ts';
import { CredentialSteps } from '../../domain/wallet/steps/credential-steps.ts';
import { PresentingSteps } from '../../domain/wallet/steps/presenting-steps.ts';
import { StepTokens } from '../../domain/wallet/steps/step-tokens.ts';
import { TokenSteps } from '../../domain/wallet/steps/token-steps.ts';
import type { PublishedKey } from '../../ports/published-keys.ts';
import type { Platform } from '../platform/platform.ts';
import { federationAnchors } from '../platform/trust.ts';
import { receivingServices } from './wallet-receiving.ts';

/** The wallet as holder: keys, DIDs, credentials and their exchange. */
export function walletServices(platform: Platform): WalletServices {
  const { outbound, clock, dids: resolver, activity, settings } = platform;
  const { keys, dids, credentials } = holdings(platform);
  const { issuing, client, images, offers, deferred } = receivingServices(platform, { dids, credentials });
  const { directory } = issuing;
  const requests = presentationRequests(platform);
  const importing = { ...platform, dids, credentials, resolver };
  const consented = new ConsentedRequests({ ...platform, requests });
  const pages = new PageRequests(requests);
  const presenting = { ...platform, dids, credentials, requests, consented, matching: platform };
  const planner = new PresentationPlanner(presenting);
  const verifiers = new VerifierEndpoint({ outbound, encryption: joseEncryption });
  const logins = new LoginTokens({ dids, clock });
  const presentations = new PresentationClient({ requests, consented, pages, planner, verifiers, logins, activity });
  const authorizing = { ...platform, dids, client, offers, returnUris: returnUris(settings) };
  const authorizations = new OfferAuthorizations(authorizing);
  const stepping = { ...authorizing, directory, tokens: new StepTokens(platform) };
  return {
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
    offers,
    authorizations,
    deferred,
    tokenSteps: new TokenSteps({ ...stepping, authorizations, oauth: new OauthClient(issuing) }),
    credentialSteps: new CredentialSteps({
      ...issuing,
      ...stepping,
      deferred,
      proofs: new PossessionProofs(issuing),
      nonces: new IssuerNonces(outbound),
    }),
    presenting: new PresentingSteps({ ...presenting, planner, presentations }),
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

/** Where logins at issuers may return to. */
const returnUris = ({ publicUrl, wallet }: Settings) => ({
  own: `${publicUrl}/wallet-api/authorization-response`,
  allowed: wallet.redirectUris,
});

/** Reads requests of verifiers, by what trusted-verifiers.conf and wallet-service.conf say. */
function presentationRequests({ settings, ...platform }: Platform): PresentationRequests {
  const { trustedVerifiers, wallet } = settings;
  const trust = {
    ...platform,
    resolver: platform.dids,
    verifierAnchors: rootAnchors(trustedVerifiers.certificates, platform.certificates),
    trustChains: new TrustChains({ ...platform, federations: federationAnchors(trustedVerifiers), most: 1 }),
    attesters: trustedVerifiers.attestationIssuers.map(({ issuer, jwks }) => ({ issuer, keys: keysOf(jwks) })),
    clients: trustedVerifiers.clients.map(({ jwks, ...client }) => ({ ...client, keys: keysOf(jwks) })),
  };
  return new PresentationRequests(
    { ...platform, encryption: joseEncryption, prefixes: usablePrefixes(trust) },
    { ...trust, transactionProfiles: wallet.transactionDataProfiles },
  );
}

const keysOf = (jwks: unknown): PublishedKey[] => signatureKeys(jwks) ?? [];

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
