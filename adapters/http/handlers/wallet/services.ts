import type { ActivityListing } from '../../../../domain/holdings/activity-listing.ts';
import type { Categories } from '../../../../domain/holdings/categories.ts';
import type { Credentials } from '../../../../domain/holdings/credentials.ts';
import type { DidImports } from '../../../../domain/holdings/did-imports.ts';
import type { DidRegistry } from '../../../../domain/holdings/did-registry.ts';
import type { Dids } from '../../../../domain/holdings/dids.ts';
import type { KeyExports } from '../../../../domain/holdings/key-exports.ts';
import type { KeySigning } from '../../../../domain/holdings/key-signing.ts';
import type { Keys } from '../../../../domain/holdings/keys.ts';
import type { WalletSettings } from '../../../../domain/holdings/wallet-settings.ts';
import type { TransactionDataProfile } from '../../../../domain/presentation/transaction-data.ts';
import type { HeldCredentialStatus } from '../../../../domain/wallet/credential-status.ts';
import type { CredentialRemovals } from '../../../../domain/wallet/delivery/credential-removals.ts';
import type { CredentialRenewals } from '../../../../domain/wallet/delivery/credential-renewals.ts';
import type { DeferredCredentials } from '../../../../domain/wallet/delivery/deferred-credentials.ts';
import type { CredentialImport } from '../../../../domain/wallet/issuance/credential-import.ts';
import type { IssuerDirectory } from '../../../../domain/wallet/issuance/issuer-directory.ts';
import type { OfferAuthorizations } from '../../../../domain/wallet/issuance/offer-authorizations.ts';
import type { OfferManifests } from '../../../../domain/wallet/issuance/offer-manifest.ts';
import type { OfferRedemption } from '../../../../domain/wallet/issuance/offer-redemption.ts';
import type { TypeMetadata } from '../../../../domain/wallet/issuance/type-metadata.ts';
import type { WalletIssuers } from '../../../../domain/wallet/issuance/wallet-issuers.ts';
import type { CredentialMatching } from '../../../../domain/wallet/presentation/credential-matching.ts';
import type { ExternalPresentations } from '../../../../domain/wallet/presentation/external-presentations.ts';
import type { PageRequests } from '../../../../domain/wallet/presentation/page-requests.ts';
import type { PresentationClient } from '../../../../domain/wallet/presentation/presentation-client.ts';
import type { RequestDescriptions } from '../../../../domain/wallet/presentation/request-description.ts';
import type { BatchSteps } from '../../../../domain/wallet/steps/batch-steps.ts';
import type { CredentialSteps } from '../../../../domain/wallet/steps/credential-steps.ts';
import type { ExternalIssuance } from '../../../../domain/wallet/steps/external-issuance.ts';
import type { PresentingSteps } from '../../../../domain/wallet/steps/presenting-steps.ts';
import type { TokenSteps } from '../../../../domain/wallet/steps/token-steps.ts';

/** Reads mdocs (ISO 18013-5). */
interface MdocReader {
  /**
   * Returns an IssuerSigned, a Document, a DeviceResponse or a MobileSecurityObject as JSON: maps as objects, byte
   * strings in base64url, dates as ISO 8601, embedded CBOR decoded. Nothing is verified.
   * @throws DomainError `BadRequest` for anything else, and for CBOR that is too large, too deep or has too many items
   */
  parse(bytes: Uint8Array): Promise<Record<string, unknown>>;
}

/** What the handlers of the wallet documents need. */
export interface WalletServices {
  keys: Keys;
  keyExports: KeyExports;
  keySigning: KeySigning;
  dids: Dids;
  didImports: DidImports;
  didRegistry: DidRegistry;
  credentials: Credentials;
  categories: Categories;
  imports: CredentialImport;
  statuses: HeldCredentialStatus;
  offers: OfferRedemption;
  authorizations: OfferAuthorizations;
  deferred: DeferredCredentials;
  batchSteps: BatchSteps;
  renewals: CredentialRenewals;
  removals: CredentialRemovals;
  /** The start of the portal's URLs. */
  portalUrl: string;
  tokenSteps: TokenSteps;
  credentialSteps: CredentialSteps;
  presenting: PresentingSteps;
  external: { issuance: ExternalIssuance; presentations: ExternalPresentations };
  manifests: OfferManifests;
  issuers: IssuerDirectory;
  presentations: PresentationClient;
  pages: PageRequests;
  matching: CredentialMatching;
  activity: ActivityListing;
  descriptions: RequestDescriptions;
  settings: WalletSettings;
  walletIssuers: WalletIssuers;
  types: TypeMetadata;
  mdocs: MdocReader;
  transactionDataProfiles: readonly TransactionDataProfile[];
}
