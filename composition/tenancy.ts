import type { AdministrationServices } from '../adapters/http/administration.ts';
import type { AuditServices } from '../adapters/http/audit.ts';
import type { CallRecorder } from '../adapters/http/audit-steps.ts';
import type { EnterpriseServices } from '../adapters/http/enterprise.ts';
import type { TenantCertificateServices } from '../adapters/http/tenant-certificates.ts';
import type { TenantIssuerServices } from '../adapters/http/tenant-issuer.ts';
import type { TenantStatusServices } from '../adapters/http/tenant-status.ts';
import type { TenantStoreServices } from '../adapters/http/tenant-stores.ts';
import type { TenantVerifierServices } from '../adapters/http/tenant-verifier.ts';
import { EnterpriseAccounts } from '../domain/accounts/enterprise-accounts.ts';
import { Identities } from '../domain/accounts/identities.ts';
import { LoginAttempts } from '../domain/accounts/login-attempts.ts';
import type { LoginSessions } from '../domain/accounts/login-sessions.ts';
import { PasswordLogin } from '../domain/accounts/password-login.ts';
import { Access } from '../domain/tenancy/access.ts';
import { AccountAdministration } from '../domain/tenancy/account-administration.ts';
import { Administration } from '../domain/tenancy/administration.ts';
import { Bootstrap } from '../domain/tenancy/bootstrap.ts';
import { HostAliasAdministration } from '../domain/tenancy/host-alias-administration.ts';
import { HostAliases } from '../domain/tenancy/host-aliases.ts';
import { Lists } from '../domain/tenancy/lists.ts';
import { PermissionInquiry } from '../domain/tenancy/permission-inquiry.ts';
import { Principals } from '../domain/tenancy/principals.ts';
import { ResourceRepository } from '../domain/tenancy/resource-repository.ts';
import { ResourceTree } from '../domain/tenancy/resource-tree.ts';
import { Resources } from '../domain/tenancy/resources.ts';
import { RoleAdministration } from '../domain/tenancy/role-administration.ts';
import { Roles } from '../domain/tenancy/roles.ts';
import { ServiceConfigurations } from '../domain/tenancy/service-configurations.ts';
import type { Target } from '../domain/tenancy/targets.ts';
import { TenantServices } from '../domain/tenancy/tenant-services.ts';
import { loginSessions } from './accounts.ts';
import { auditServices } from './audit.ts';
import type { IssuerArea } from './issuer.ts';
import type { Platform } from './platform.ts';
import { tenantCertificates } from './tenant-certificates.ts';
import { tenantIssuers } from './tenant-issuers.ts';
import { tenantStatus } from './tenant-status.ts';
import { tenantStores } from './tenant-stores.ts';
import { tenantVerifiers } from './tenant-verifiers.ts';
import type { VerifierArea } from './verifier.ts';

/** The services of organizations and tenants, and the logins of their accounts. */
export interface Tenancy
  extends EnterpriseServices,
    TenantStoreServices,
    AdministrationServices,
    TenantVerifierServices,
    TenantStatusServices,
    TenantCertificateServices,
    TenantIssuerServices {
  sessions: LoginSessions;
  services: TenantServices;
  audit: AuditServices;
  recorder: CallRecorder;
  hostAliases: HostAliases;
}

/** Organizations, tenants, their services and resources, and who may do what. */
export function tenancyServices(platform: Platform, issuance: IssuerArea, verification: VerifierArea): Tenancy {
  const { settings, store, keys, ids } = platform;
  const principals = new Principals(store, ids);
  const access = new Access(principals);
  const repository = new ResourceRepository(store, ids);
  const tree = new ResourceTree(repository);
  const limits = settings.pagination;
  const hostAliases = new HostAliases({ ...platform, publicUrl: settings.publicUrl });
  const services = new TenantServices({ access, tree });
  const stores = tenantStores(platform, { access, tree, ids });
  const common = { access, services, urls: hostAliases };
  const certificates = tenantCertificates(platform, { access, tree, ids, services, repository });
  const issuers = tenantIssuers(platform, issuance, { ...common, kms: stores.kms });
  const verifiers = tenantVerifiers({ ...platform, ...common, ...certificates, tree }, verification);
  const belongings = [
    (target: Target) => issuers.removeBelongings(target),
    (target: Target) => principals.removeRoles(target),
    (target: Target) => hostAliases.removeAll(target),
    (target: Target) => verifiers.removeSessions(target),
  ];
  const sources = { resources: repository, issuanceSessions: issuers, verificationSessions: verifiers };
  return {
    ...auditServices(platform, { access, principals }),
    ...administrators(platform, { access, principals, tree }),
    hostAliases,
    hostAliasAdministration: new HostAliasAdministration({ access, tree, aliases: hostAliases, limits }),
    resources: new Resources({ access, principals, tree, keys, belongings }),
    configurations: new ServiceConfigurations({
      access,
      tree,
      checks: {
        issuer2: (draft) => issuers.check(draft),
        verifier2: (draft) => verifiers.check(draft),
        'vical-service': (draft) => certificates.vicals.check(draft),
      },
    }),
    ...stores,
    issuance,
    tenantIssuers: issuers,
    verification,
    verifiers,
    lists: new Lists({ access, tree, sources, limits }),
    ...certificates,
    ...tenantStatus(platform, { ...common, tree, ids }),
  };
}

/** The accounts of administrators, their logins, roles and permissions. */
function administrators(
  platform: Platform,
  { access, principals, tree }: { access: Access; principals: Principals; tree: ResourceTree },
) {
  const { settings, store, clock } = platform;
  const limits = settings.pagination;
  const sessions = loginSessions(platform, '/enterprise');
  const identities = new Identities(store);
  const attempts = new LoginAttempts(platform, settings.auth.lockout);
  const passwords = new PasswordLogin({ identities, passwords: platform.passwords, realm: 'enterprise', attempts });
  const accounts = new EnterpriseAccounts({ ...platform, identities, passwords, principals, sessions });
  return {
    sessions,
    accounts,
    bootstrap: new Bootstrap(accounts, settings.superadminRegistration.tokens, clock),
    accountAdministration: new AccountAdministration({ access, accounts, principals, limits }),
    roleAdministration: new RoleAdministration({ access, principals, tree, limits }),
    permissionInquiry: new PermissionInquiry(access, principals),
    administration: new Administration(access, accounts),
    roles: new Roles(access, principals, tree),
  };
}
