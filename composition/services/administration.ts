import { readFileSync } from 'node:fs';
import type { Settings } from '../../adapters/config/settings.ts';
import type { AdministrationServices } from '../../adapters/http/handlers/tenancy/administration.ts';
import { FactorEnrolment } from '../../domain/accounts/factor-enrolment.ts';
import { Identities } from '../../domain/accounts/identities.ts';
import { LoginAttempts } from '../../domain/accounts/login-attempts.ts';
import type { LoginSessions } from '../../domain/accounts/login-sessions.ts';
import { PasswordLogin } from '../../domain/accounts/password-login.ts';
import { SecondFactors } from '../../domain/accounts/second-factors.ts';
import { TenancyAccounts } from '../../domain/accounts/tenancy-accounts.ts';
import type { Access } from '../../domain/tenancy/access/access.ts';
import { type ApiKeys, isApiKey } from '../../domain/tenancy/access/api-keys.ts';
import { PermissionInquiry } from '../../domain/tenancy/access/permission-inquiry.ts';
import type { Principals } from '../../domain/tenancy/access/principals.ts';
import type { Target } from '../../domain/tenancy/access/targets.ts';
import { AccountAdministration } from '../../domain/tenancy/accounts/account-administration.ts';
import { Administration } from '../../domain/tenancy/accounts/administration.ts';
import { ApiKeyAdministration } from '../../domain/tenancy/accounts/api-key-administration.ts';
import { Bootstrap } from '../../domain/tenancy/accounts/bootstrap.ts';
import { InvitationAdministration } from '../../domain/tenancy/accounts/invitation-administration.ts';
import { Invitations } from '../../domain/tenancy/accounts/invitations.ts';
import { type InstallationFacts, Overviews } from '../../domain/tenancy/accounts/overview.ts';
import { RoleAdministration } from '../../domain/tenancy/accounts/role-administration.ts';
import { Roles } from '../../domain/tenancy/accounts/roles.ts';
import { SuperadminChanges } from '../../domain/tenancy/accounts/superadmin-changes.ts';
import { HostAliasAdministration } from '../../domain/tenancy/hosts/host-alias-administration.ts';
import { HostAliases } from '../../domain/tenancy/hosts/host-aliases.ts';
import type { ResourceTree } from '../../domain/tenancy/tree/resource-tree.ts';
import { rulesOf } from '../platform/limits.ts';
import type { Platform } from '../platform/platform.ts';
import { PACKAGE_ROOT } from '../root.ts';
import { loginCookie, loginSessions } from './accounts.ts';

/** The administration of accounts and tenants, and the logins of administrators. */
export interface AdministrationArea extends AdministrationServices {
  /** What authenticates a caller: login tokens, and API keys. */
  logins: Pick<LoginSessions, 'authenticate'>;
  bootstrap: Bootstrap;
  roles: Roles;
  hostAliases: HostAliases;
  /** Remove what belongs to an organization, a tenant or a service without being a resource. */
  cleanUps: ((target: Target) => Promise<void>)[];
}

/** What the administration shares with the other services of tenants. */
interface AdministrationBase {
  access: Access;
  principals: Principals;
  tree: ResourceTree;
  apiKeys: ApiKeys;
}

/** Accounts, their logins, API keys, roles, and the domains of tenants. */
export function administrationArea(platform: Platform, base: AdministrationBase): AdministrationArea {
  const { settings, clock } = platform;
  const { access, principals, tree, apiKeys } = base;
  const { accounts, factors, enrolment } = enterpriseAccounts(platform, principals);
  const { sessions } = accounts;
  const hostAliases = new HostAliases({ ...platform, publicUrl: settings.publicUrl });
  const invitations = new Invitations(platform);
  const parts = { ...base, accounts, factors, clock, turns: platform.turns, limits: settings.pagination };
  return {
    accounts,
    enrolment,
    sessions,
    cookie: loginCookie(settings, 'admin'),
    logins: { authenticate: (token) => (isApiKey(token) ? apiKeys : sessions).authenticate(token) },
    bootstrap: new Bootstrap(accounts, settings.superadminRegistration.tokens, clock),
    administration: new Administration(access, accounts),
    accountAdministration: new AccountAdministration({ ...parts, superadminChanges: new SuperadminChanges(platform) }),
    apiKeyAdministration: new ApiKeyAdministration(parts),
    invitationAdministration: new InvitationAdministration({ ...parts, invitations }),
    roles: new Roles(access, principals, tree),
    roleAdministration: new RoleAdministration(parts),
    permissionInquiry: new PermissionInquiry(access, principals),
    overviews: new Overviews({ access, store: platform.store, facts: factsOf(settings) }),
    hostAliases,
    hostAliasAdministration: new HostAliasAdministration({ ...parts, aliases: hostAliases }),
    cleanUps: [
      (target) => principals.removeRoles(target),
      (target) => apiKeys.removeAll(target),
      (target) => hostAliases.removeAll(target),
      (target) => invitations.removeAll(target),
    ],
  };
}

/** The accounts of administrators and their second factors. */
function enterpriseAccounts(
  platform: Platform,
  principals: Principals,
): { accounts: TenancyAccounts; factors: SecondFactors; enrolment: FactorEnrolment } {
  const { settings, store } = platform;
  const { lockout, secondFactor } = settings.auth;
  const identities = new Identities(store);
  const attempts = new LoginAttempts(platform, lockout);
  const passwords = new PasswordLogin({ identities, passwords: platform.passwords, realm: 'enterprise', attempts });
  const sessions = loginSessions(platform, '/enterprise');
  const factors = new SecondFactors(platform, { ...secondFactor, issuer: new URL(settings.publicUrl).hostname });
  const accounts = new TenancyAccounts({ ...platform, identities, passwords, principals, sessions, factors });
  return { accounts, factors, enrolment: new FactorEnrolment({ passwords, principals, factors }) };
}

/** What superadmins see of the settings. */
const factsOf = ({ publicUrl, services, store, rateLimit, pagination }: Settings): InstallationFacts => ({
  version: JSON.parse(readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8')).version,
  publicUrl,
  services: services.services,
  storeType: store.type,
  rules: rulesOf(rateLimit),
  pagination,
});
