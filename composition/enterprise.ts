import type { ContainerModuleLoadOptions } from 'inversify';
import type { EnterpriseServices } from '../adapters/http/enterprise.ts';
import { EnterpriseAccounts } from '../domain/accounts/enterprise-accounts.ts';
import { LoginSessions } from '../domain/accounts/login-sessions.ts';
import { PasswordLogin } from '../domain/accounts/password-login.ts';
import { Access } from '../domain/tenancy/access.ts';
import { Administration } from '../domain/tenancy/administration.ts';
import { Bootstrap } from '../domain/tenancy/bootstrap.ts';
import { Held } from '../domain/tenancy/held.ts';
import { Lists } from '../domain/tenancy/lists.ts';
import { Principals } from '../domain/tenancy/principals.ts';
import { ResourceRepository } from '../domain/tenancy/resource-repository.ts';
import { ResourceTree } from '../domain/tenancy/resource-tree.ts';
import { Resources } from '../domain/tenancy/resources.ts';
import { Roles } from '../domain/tenancy/roles.ts';
import { IdentitiesT } from './accounts.ts';
import { ClockT, IdsT, KeyRingT, MetricsT, PasswordsT, ServerKeysT, SettingsT, SignaturesT, StoreT } from './tokens.ts';
import { provide, token } from './wire.ts';

/** What the handlers of the document `enterprise` need. */
export const EnterpriseServicesT = token<EnterpriseServices>('enterprise-services');
/** The logins of those who administer. */
export const EnterpriseSessionsT = token<LoginSessions>('enterprise-sessions');
const PrincipalsT = token<Principals>('enterprise-principals');
const EnterpriseAccountsT = token<EnterpriseAccounts>('enterprise-accounts');
const AccessT = token<Access>('enterprise-access');
const ElementsT = token<ResourceRepository>('enterprise-elements');
const TreeT = token<ResourceTree>('enterprise-tree');
const BootstrapT = token<Bootstrap>('enterprise-bootstrap');
const AdministrationT = token<Administration>('enterprise-administration');
const RolesT = token<Roles>('enterprise-roles');
const ResourcesT = token<Resources>('enterprise-resources');
const HeldT = token<Held>('enterprise-held');
const ListsT = token<Lists>('enterprise-lists');

/** Organizations, tenants, services, what they hold, and who may do what. */
export function enterpriseModule(o: ContainerModuleLoadOptions): void {
  provideAccounts(o);
  provideTree(o);
  provide(
    o,
    EnterpriseServicesT,
    (bootstrap, administration, roles, resources, held, lists) => {
      return { bootstrap, administration, roles, resources, held, lists };
    },
    BootstrapT,
    AdministrationT,
    RolesT,
    ResourcesT,
    HeldT,
    ListsT,
  );
}

function provideAccounts(o: ContainerModuleLoadOptions): void {
  provide(
    o,
    EnterpriseSessionsT,
    ({ publicUrl, auth }, store, keys, signatures, clock, ids, metrics) => {
      const rules = { publicUrl, lifetimeSeconds: auth.tokenLifetimeSeconds, audience: '/enterprise' as const };
      return new LoginSessions({ store, keys, signatures, clock, ids, metrics }, rules);
    },
    SettingsT,
    StoreT,
    ServerKeysT,
    SignaturesT,
    ClockT,
    IdsT,
    MetricsT,
  );
  provide(o, PrincipalsT, (store, ids) => new Principals(store, ids), StoreT, IdsT);
  provide(
    o,
    EnterpriseAccountsT,
    (identities, principals, hashes, ids) => {
      const passwords = new PasswordLogin(identities, hashes, 'enterprise');
      return new EnterpriseAccounts({ identities, passwords, principals, ids });
    },
    IdentitiesT,
    PrincipalsT,
    PasswordsT,
    IdsT,
  );
  provide(o, AccessT, (principals) => new Access(principals), PrincipalsT);
  provide(
    o,
    BootstrapT,
    (accounts, { superadminRegistration }, clock) => new Bootstrap(accounts, superadminRegistration.tokens, clock),
    EnterpriseAccountsT,
    SettingsT,
    ClockT,
  );
  provide(
    o,
    AdministrationT,
    (access, accounts, sessions) => new Administration(access, accounts, sessions),
    AccessT,
    EnterpriseAccountsT,
    EnterpriseSessionsT,
  );
  provide(o, RolesT, (access, principals, tree) => new Roles(access, principals, tree), AccessT, PrincipalsT, TreeT);
}

function provideTree(o: ContainerModuleLoadOptions): void {
  provide(o, ElementsT, (store, ids) => new ResourceRepository(store, ids), StoreT, IdsT);
  provide(o, TreeT, (elements) => new ResourceTree(elements), ElementsT);
  provide(
    o,
    ResourcesT,
    (access, principals, tree, keys) => new Resources(access, principals, tree, keys),
    AccessT,
    PrincipalsT,
    TreeT,
    KeyRingT,
  );
  provide(o, HeldT, (access, tree, keys, ids) => new Held(access, tree, keys, ids), AccessT, TreeT, KeyRingT, IdsT);
  provide(
    o,
    ListsT,
    (access, tree, elements, { pagination }) => new Lists(access, tree, elements, pagination),
    AccessT,
    TreeT,
    ElementsT,
    SettingsT,
  );
}
