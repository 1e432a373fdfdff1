import { completing } from '../../adapters/config/schemas.ts';
import { PeculiarCertificates } from '../../adapters/crypto/certificate-maker.ts';
import { SignedVicals } from '../../adapters/formats/vical/vical-writer.ts';
import type { TenantCertificateServices } from '../../adapters/http/handlers/tenancy/tenant-certificates.ts';
import type { TenantStatusServices } from '../../adapters/http/handlers/tenancy/tenant-status.ts';
import { CertificateOnboarding } from '../../domain/issuer/onboarding/certificate-onboarding.ts';
import { ServiceKeys } from '../../domain/keys/service-keys.ts';
import type { Target } from '../../domain/tenancy/access/targets.ts';
import type { AuditEntries } from '../../domain/tenancy/audit/audit-entries.ts';
import type { HostAliases } from '../../domain/tenancy/hosts/host-aliases.ts';
import { ClientAttesters } from '../../domain/tenancy/services/attesters/client-attesters.ts';
import { CertificateRevocation } from '../../domain/tenancy/services/certificates/certificate-revocation.ts';
import { TrustSources } from '../../domain/tenancy/services/certificates/trust-sources.ts';
import { VicalServices } from '../../domain/tenancy/services/certificates/vical-service.ts';
import { CertificateServices } from '../../domain/tenancy/services/certificates/x509-service.ts';
import { CertificateStores } from '../../domain/tenancy/services/certificates/x509-store.ts';
import { CredentialStatusServices } from '../../domain/tenancy/services/credential-status.ts';
import { CredentialStores } from '../../domain/tenancy/services/credential-store.ts';
import { DidStores } from '../../domain/tenancy/services/did-store.ts';
import { DidNames } from '../../domain/tenancy/services/dids/did-names.ts';
import { DidPlaces } from '../../domain/tenancy/services/dids/did-places.ts';
import { DidRegistries } from '../../domain/tenancy/services/dids/did-registries.ts';
import { DidServices } from '../../domain/tenancy/services/dids/did-services.ts';
import { KeyManagementServices } from '../../domain/tenancy/services/kms.ts';
import { PolicyStores } from '../../domain/tenancy/services/policy-store.ts';
import { SavedChecks } from '../../domain/tenancy/services/saved-checks.ts';
import { SignInBridges } from '../../domain/tenancy/services/sign-in-bridges.ts';
import { TenantIssuers } from '../../domain/tenancy/services/tenant-issuers.ts';
import type { TenantServices, TenantUrls } from '../../domain/tenancy/services/tenant-services.ts';
import { type TenantVerifierParts, TenantVerifiers } from '../../domain/tenancy/services/tenant-verifiers.ts';
import { TrustRegistries } from '../../domain/tenancy/services/trust-registry.ts';
import type { ResourceRepository } from '../../domain/tenancy/tree/resource-repository.ts';
import type { ResourceTree } from '../../domain/tenancy/tree/resource-tree.ts';
import type { Platform } from '../platform/platform.ts';
import type { IssuerArea } from './issuer.ts';
import type { VerifierArea } from './verifier.ts';

/** What the services of tenants are made with. */
export interface TenantPlatform extends Platform {
  tree: ResourceTree;
  repository: ResourceRepository;
  services: TenantServices;
  urls: TenantUrls;
  /** Records what is done for wallets; absent where nothing is. */
  entries?: AuditEntries;
}

/** The stores of tenants, with the DIDs in them and where their documents are published. */
export function tenantStores(
  platform: TenantPlatform & { urls: HostAliases },
  credentialGone: (target: string) => void,
) {
  const kms = new KeyManagementServices(platform);
  const didNames = new DidNames(platform.store, platform.repository);
  const parts = { ...platform, kms, names: didNames, places: new DidPlaces(platform) };
  return {
    kms,
    credentialGone,
    didNames,
    forgetDids: (store: Target) => didNames.forgetAll(store),
    didStores: new DidStores(parts),
    dids: new DidServices(parts),
    didRegistries: new DidRegistries(parts),
    credentialStores: new CredentialStores(platform, credentialGone),
    policyStores: new PolicyStores({ ...platform, ports: platform }),
  };
}

/** The certificates of tenants, their VICALs, and whom they trust. */
export function tenantCertificates(platform: TenantPlatform): Omit<TenantCertificateServices, 'lists' | 'resources'> {
  const stores = new CertificateStores(platform);
  const sources = new TrustSources(platform);
  const parts = { ...platform, maker: new PeculiarCertificates() };
  const onboarding = new CertificateOnboarding(parts);
  const revocation = new CertificateRevocation(parts);
  return {
    certificateStores: stores,
    certificateServices: new CertificateServices({ ...platform, stores, onboarding, revocation }),
    revocation,
    vicals: new VicalServices({ ...platform, writer: new SignedVicals() }),
    trustSources: sources,
    trustRegistries: new TrustRegistries({ ...platform, sources }),
  };
}

/** The status lists of tenants. */
export function tenantStatus(
  platform: TenantPlatform,
  { creation, handles }: Pick<IssuerArea, 'creation' | 'handles'>,
): Omit<TenantStatusServices, 'lists'> {
  const { settings, issuedLists, services } = platform;
  const { pagination: pages, publicUrl, status } = settings;
  return {
    services,
    credentialStatus: new CredentialStatusServices({ ...platform, ...issuedLists, creation, handles }),
    issued: { ...issuedLists, pages, publicUrl, ttlSeconds: status.issuedLists.ttlSeconds },
  };
}

/** The issuers of tenants, which the services of the open issuer serve too, and the client attesters that they believe. */
export function tenantIssuers(
  platform: TenantPlatform,
  { keys: issuerKeys, sessions, removal, tables }: Pick<IssuerArea, 'keys' | 'sessions' | 'removal' | 'tables'>,
  { credentialStatus }: Pick<TenantStatusServices, 'credentialStatus'>,
): { issuers: TenantIssuers; attesters: ClientAttesters } {
  const attesters = new ClientAttesters(platform);
  const serviceKeys = new ServiceKeys(platform);
  const ofIssuers = { issuerKeys, sessions, removal, tables, issuedRecords: platform.issuedLists.records };
  const issuers = new TenantIssuers({ ...platform, ...ofIssuers, attesters, credentialStatus, serviceKeys });
  return { issuers, attesters };
}

/** The verifiers of tenants, which the services of the open verifier serve too, and their saved checks. */
export function tenantVerifiers(
  platform: TenantPlatform,
  { sessions, setups, creation }: Pick<VerifierArea, 'sessions' | 'setups' | 'creation'>,
  stores: Pick<TenantVerifierParts, 'policyStores' | 'trustRegistries'>,
): { verifiers: TenantVerifiers; savedChecks: SavedChecks } {
  const verifiers = new TenantVerifiers({ ...platform, ...stores, sessions, setups });
  const savedChecks = new SavedChecks({ ...platform, verifiers, setups, creation, ports: platform });
  return { verifiers, savedChecks };
}

/** The OpenID Providers of tenants. */
export const tenantSignIn = (platform: TenantPlatform, { verifiers }: { verifiers: TenantVerifiers }): SignInBridges =>
  new SignInBridges({
    ...platform,
    verifiers,
    serviceKeys: new ServiceKeys(platform),
    completed: completing('sign-in'),
  });
