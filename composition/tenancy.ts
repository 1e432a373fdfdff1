import type { AdministrationServices } from '../adapters/http/administration.ts';
import type { AuditServices } from '../adapters/http/audit.ts';
import type { CallRecorder } from '../adapters/http/audit-steps.ts';
import type { EnterpriseServices } from '../adapters/http/enterprise.ts';
import type { TenantStatusServices } from '../adapters/http/tenant-status.ts';
import { EnterpriseAccounts } from '../domain/accounts/enterprise-accounts.ts';
import { Identities } from '../domain/accounts/identities.ts';
import { LoginAttempts } from '../domain/accounts/login-attempts.ts';
import type { LoginSessions } from '../domain/accounts/login-sessions.ts';
import { PasswordLogin } from '../domain/accounts/password-login.ts';
import { Access } from '../domain/tenancy/access.ts';
import { AccountAdministration } from '../domain/tenancy/account-administration.ts';
import { Administration } from '../domain/tenancy/administration.ts';
import { ApiKeyAdministration } from '../domain/tenancy/api-key-administration.ts';
import { ApiKeys, isApiKey } from '../domain/tenancy/api-keys.ts';
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
import { CredentialStores } from '../domain/tenancy/services/credential-store.ts';
import { DidStores } from '../domain/tenancy/services/did-store.ts';
import { KeyManagementServices } from '../domain/tenancy/services/kms.ts';
import type { Target } from '../domain/tenancy/targets.ts';
import { TenantServices } from '../domain/tenancy/tenant-services.ts';
import { loginCookie, loginSessions } from './accounts.ts';
import { auditServices } from './audit.ts';
import type { Platform } from './platform.ts';
import { tenantStatus } from './tenant-status.ts';

/** The services of organizations and tenants, and the logins of their accounts. */
export interface Tenancy extends EnterpriseServices, AdministrationServices, TenantStatusServices {
  sessions: LoginSessions;
  /** What authenticates a caller: login tokens, and API keys. */
  logins: Pick<LoginSessions, 'authenticate'>;
  services: TenantServices;
  audit: AuditServices;
  recorder: CallRecorder;
  hostAliases: HostAliases;
}

/** Organizations, tenants, their services and resources, and who may do what. */
export function tenancyServices(platform: Platform): Tenancy {
  const { settings, store, keys, clock, ids } = platform;
  const sessions = loginSessions(platform, '/enterprise');
  const apiKeys = new ApiKeys(platform);
  const principals = new Principals(store, ids, apiKeys);
  const identities = new Identities(store);
  const attempts = new LoginAttempts(platform, settings.auth.lockout);
  const passwords = new PasswordLogin({ identities, passwords: platform.passwords, realm: 'enterprise', attempts });
  const accounts = new EnterpriseAccounts({ ...platform, identities, passwords, principals, sessions });
  const access = new Access(principals);
  const repository = new ResourceRepository(store, ids);
  const tree = new ResourceTree(repository);
  const limits = settings.pagination;
  const hostAliases = new HostAliases({ ...platform, publicUrl: settings.publicUrl });
  const belongings = [
    (target: Target) => principals.removeRoles(target),
    (target: Target) => hostAliases.removeAll(target),
    (target: Target) => apiKeys.removeAll(target),
  ];
  const services = new TenantServices({ access, tree });
  return {
    ...auditServices(platform, { access, principals }),
    sessions,
    cookie: loginCookie(settings, 'admin'),
    logins: { authenticate: (token) => (isApiKey(token) ? apiKeys : sessions).authenticate(token) },
    apiKeyAdministration: new ApiKeyAdministration({ ...platform, access, principals, tree, apiKeys, limits }),
    hostAliases,
    hostAliasAdministration: new HostAliasAdministration({ access, tree, aliases: hostAliases, limits }),
    bootstrap: new Bootstrap(accounts, settings.superadminRegistration.tokens, clock),
    accountAdministration: new AccountAdministration({ access, accounts, principals, limits }),
    accounts,
    roleAdministration: new RoleAdministration({ access, principals, tree, limits }),
    permissionInquiry: new PermissionInquiry(access, principals),
    administration: new Administration(access, accounts),
    roles: new Roles(access, principals, tree),
    resources: new Resources({ access, principals, tree, keys, belongings }),
    configurations: new ServiceConfigurations({ access, tree, checks: {} }),
    kms: new KeyManagementServices({ access, tree, keys, ids }),
    didStores: new DidStores({ access, tree, ids }),
    credentialStores: new CredentialStores({ access, tree, ids }),
    lists: new Lists({ access, tree, sources: { resources: repository }, limits }),
    ...tenantStatus(platform, { access, tree, ids, services, urls: hostAliases }),
  };
}
