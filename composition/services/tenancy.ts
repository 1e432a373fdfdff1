import type { CallRecorder } from '../../adapters/http/edge/audit-steps.ts';
import type { AuditServices } from '../../adapters/http/handlers/tenancy/audit.ts';
import type { EnterpriseServices } from '../../adapters/http/handlers/tenancy/enterprise.ts';
import type { TenantAttesterServices } from '../../adapters/http/handlers/tenancy/tenant-attester.ts';
import type { TenantCertificateServices } from '../../adapters/http/handlers/tenancy/tenant-certificates.ts';
import type { TenantDidServices } from '../../adapters/http/handlers/tenancy/tenant-did.ts';
import type { TenantIssuerServices } from '../../adapters/http/handlers/tenancy/tenant-issuer.ts';
import type { TenantSignInServices } from '../../adapters/http/handlers/tenancy/tenant-sign-in.ts';
import type { TenantStatusServices } from '../../adapters/http/handlers/tenancy/tenant-status.ts';
import type { TenantStoreServices } from '../../adapters/http/handlers/tenancy/tenant-stores.ts';
import type { TenantVerifierServices } from '../../adapters/http/handlers/tenancy/tenant-verifier.ts';
import type { TenantWalletServices } from '../../adapters/http/handlers/tenancy/tenant-wallet.ts';
import { Access } from '../../domain/tenancy/access/access.ts';
import { ApiKeys } from '../../domain/tenancy/access/api-keys.ts';
import { Principals } from '../../domain/tenancy/access/principals.ts';
import type { Target } from '../../domain/tenancy/access/targets.ts';
import type { ClientAttesters } from '../../domain/tenancy/services/attesters/client-attesters.ts';
import { CredentialTypesOfTenants } from '../../domain/tenancy/services/credential-types.ts';
import { IssuedCredentials } from '../../domain/tenancy/services/issued-credentials.ts';
import { Lists } from '../../domain/tenancy/services/lists.ts';
import { ServiceConfigurations } from '../../domain/tenancy/services/service-configurations.ts';
import { ServiceConnections } from '../../domain/tenancy/services/service-connections.ts';
import type { SignInBridges } from '../../domain/tenancy/services/sign-in-bridges.ts';
import type { TenantIssuers } from '../../domain/tenancy/services/tenant-issuers.ts';
import { TenantProfiles } from '../../domain/tenancy/services/tenant-profiles.ts';
import { TenantServices } from '../../domain/tenancy/services/tenant-services.ts';
import type { TenantVerifiers } from '../../domain/tenancy/services/tenant-verifiers.ts';
import type { TenantWallets } from '../../domain/tenancy/services/wallets/tenant-wallets.ts';
import { WalletCreation } from '../../domain/tenancy/services/wallets/wallet-creation.ts';
import { ResourceRepository } from '../../domain/tenancy/tree/resource-repository.ts';
import { ResourceTree } from '../../domain/tenancy/tree/resource-tree.ts';
import { Resources } from '../../domain/tenancy/tree/resources.ts';
import { Workplaces } from '../../domain/tenancy/tree/workplaces.ts';
import type { Platform } from '../platform/platform.ts';
import { type AdministrationArea, administrationArea } from './administration.ts';
import { auditChains, auditServices } from './audit.ts';
import type { IssuerArea } from './issuer.ts';
import type { SignInArea } from './sign-in.ts';
import {
  tenantCertificates,
  tenantIssuers,
  tenantSignIn,
  tenantStatus,
  tenantStores,
  tenantVerifiers,
} from './tenant-areas.ts';
import { tenantWallets } from './tenant-wallets.ts';
import type { VerifierArea } from './verifier.ts';

/** The services of organizations and tenants, and the logins of their accounts. */
export interface Tenancy
  extends EnterpriseServices,
    TenantStoreServices,
    AdministrationArea,
    TenantVerifierServices,
    TenantStatusServices,
    TenantCertificateServices,
    TenantAttesterServices,
    TenantDidServices,
    TenantWalletServices,
    TenantSignInServices,
    TenantIssuerServices {
  access: Access;
  services: TenantServices;
  audit: AuditServices;
  recorder: CallRecorder;
}

/** What serves any issuer, verifier and provider. */
interface TenancyAreas {
  issuance: IssuerArea;
  verification: VerifierArea;
  signIn: SignInArea;
}

/** Organizations, tenants, their services and resources, and who may do what. */
export function tenancyServices(platform: Platform, areas: TenancyAreas): Tenancy {
  const { settings, store, keys, ids } = platform;
  const { issuance, verification } = areas;
  const apiKeys = new ApiKeys(platform);
  const principals = new Principals(store, ids, apiKeys);
  const access = new Access(principals);
  const repository = new ResourceRepository(store, ids);
  const tree = new ResourceTree(repository);
  const administration = administrationArea(platform, { access, principals, tree, apiKeys });
  const services = new TenantServices({ tree });
  const own = { ...platform, ...auditChains(platform) };
  const tenants = { ...own, tree, repository, services, urls: administration.hostAliases };
  const stores = tenantStores(tenants, (target) => holding.credentialGone(target));
  const certificates = tenantCertificates(tenants);
  const status = tenantStatus(tenants, issuance);
  const { issuers, attesters } = tenantIssuers(tenants, issuance, status);
  const verifying = tenantVerifiers(tenants, verification, { ...stores, ...certificates });
  const bridges = tenantSignIn(tenants, verifying);
  const holding = tenantWallets(tenants, { attesters, ...certificates });
  const working = { issuers, attesters, bridges, ...verifying, ...holding, ...certificates };
  const cleanUps = [...cleanUpsOf(working), ...administration.cleanUps, stores.forgetDids];
  const configurations = serviceConfigurations(platform, { tree, repository, cleanUps, ...working });
  const resources = new Resources({ access, principals, tree, keys, ...stores, cleanUps, repository });
  const credentialTypes = new CredentialTypesOfTenants({ ...platform, services, configurations });
  const lists = { issuanceSessions: issuers, verificationSessions: verifying.verifiers, clientAttestations: attesters };
  const issuedCredentials = new IssuedCredentials({ ...issuance, ...own.issuedLists, services });
  const sources = { resources: repository, credentialTypes, issuedCredentials, ...lists };
  return {
    access,
    ...auditServices(own, { access, principals }),
    ...administration,
    resources,
    walletCreation: new WalletCreation({ tree, resources, configurations, ...stores }),
    workplaces: new Workplaces({ ...platform, principals, resources: repository, limits: settings.pagination }),
    configurations,
    ...stores,
    ...areas,
    tenantIssuers: issuers,
    tenantProfiles: new TenantProfiles({ issuers, configurations }),
    attesters,
    credentialTypes,
    issuedCredentials,
    ...verifying,
    ...holding,
    lists: new Lists({ tree, sources, limits: settings.pagination }),
    ...certificates,
    ...status,
    bridges,
  };
}

/** Remove what belongs to services without being a resource. */
function cleanUpsOf({ verifiers, revocation, ...services }: WorkingServices): CleanUp[] {
  const { issuers, attesters, wallets, bridges, trustSources } = services;
  const ofServices = [issuers, attesters, wallets, bridges, trustSources].map((one) => one.removeOwnData.bind(one));
  const removeLists = (target: Target) => revocation.removeLists(target);
  return [...ofServices, verifiers.removeSessions.bind(verifiers), removeLists];
}

/** Creates services, and changes them, after those who work with a type of service have checked the configuration. */
const serviceConfigurations = (
  platform: Platform,
  { repository, tree, issuers, verifiers, vicals, attesters, wallets, bridges, cleanUps }: CheckingServices,
): ServiceConfigurations =>
  new ServiceConfigurations({
    ...platform,
    tree,
    cleanUps,
    connections: new ServiceConnections(repository, tree),
    checks: {
      issuer2: (draft) => issuers.check(draft),
      verifier2: (draft) => verifiers.check(draft),
      'vical-service': (draft) => vicals.check(draft),
      'client-attester': (draft) => attesters.check(draft),
      wallet2: (draft) => wallets.check(draft),
      'oidc-bridge': (draft) => bridges.check(draft),
    },
  });

type CleanUp = (target: Target) => Promise<void>;

interface WorkingServices extends Pick<TenantCertificateServices, 'vicals' | 'revocation' | 'trustSources'> {
  issuers: TenantIssuers;
  verifiers: TenantVerifiers;
  attesters: ClientAttesters;
  wallets: TenantWallets;
  bridges: SignInBridges;
}

interface CheckingServices extends WorkingServices {
  repository: ResourceRepository;
  tree: ResourceTree;
  cleanUps: readonly CleanUp[];
}
