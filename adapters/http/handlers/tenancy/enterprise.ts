import { at } from '../../../../domain/foundation/errors.ts';
import type { Rights } from '../../../../domain/tenancy/access/permissions.ts';
import type { Administration } from '../../../../domain/tenancy/accounts/administration.ts';
import type { Bootstrap } from '../../../../domain/tenancy/accounts/bootstrap.ts';
import type { Roles } from '../../../../domain/tenancy/accounts/roles.ts';
import type { CredentialStores } from '../../../../domain/tenancy/services/credential-store.ts';
import type { DidStores } from '../../../../domain/tenancy/services/did-store.ts';
import type { KeyManagementServices } from '../../../../domain/tenancy/services/kms.ts';
import { LISTS, type Lists } from '../../../../domain/tenancy/services/lists.ts';
import type {
  ServiceConfigurations,
  WrittenConfiguration,
} from '../../../../domain/tenancy/services/service-configurations.ts';
import type { WalletCreation } from '../../../../domain/tenancy/services/wallets/wallet-creation.ts';
import { RESOURCE_KINDS } from '../../../../domain/tenancy/tree/resource-kinds.ts';
import type { Resources } from '../../../../domain/tenancy/tree/resources.ts';
import type { Workplaces } from '../../../../domain/tenancy/tree/workplaces.ts';
import { done, type Handlers, NO_STORE, originOf, reply, replyToBody, turnOf } from '../../messages/operations.ts';
import { listOrElement, listPages } from './list-pages.ts';

/** What the handlers of the document `enterprise` need. */
export interface EnterpriseServices {
  bootstrap: Bootstrap;
  administration: Administration;
  roles: Roles;
  resources: Resources;
  workplaces: Workplaces;
  configurations: ServiceConfigurations;
  walletCreation: WalletCreation;
  kms: KeyManagementServices;
  didStores: DidStores;
  credentialStores: CredentialStores;
  lists: Lists;
}

type Part = Partial<Handlers<'enterprise'>>;

/** The enterprise services. */
export const enterpriseHandlers = (services: EnterpriseServices): Handlers<'enterprise'> => ({
  ...accountHandlers(services),
  ...resourceHandlers(services),
  ...configurationHandlers(services),
  ...serviceHandlers(services),
  ...listHandlers(services),
});

/** Where the credentials of a new account are in the body. */
const INITIAL_AUTH = {
  email: ['body', 'initialAuth', 'identifier', 'email'],
  password: ['body', 'initialAuth', 'data', 'password'],
};

const accountHandlers = ({ bootstrap, administration, roles }: EnterpriseServices) =>
  ({
    createSuperadmin: async ({ body, caller }) => {
      const token = typeof body === 'string' ? body.trim() : body.token;
      const account = await bootstrap.activate(token, turnOf(caller));
      return { status: 200, body: 'account activated', account };
    },
    loginEnterpriseAccount: async ({ body, caller }) => {
      const credentials = { ...body, turn: turnOf(caller) };
      const { token, account } = await at(['body'], () => administration.login(credentials));
      return { status: 200, body: { token }, headers: NO_STORE, account };
    },
    registerEnterpriseAccount: reply(201, ({ body: { profile, preferences, initialAuth }, caller }) => {
      const { email } = initialAuth.identifier;
      const { password } = initialAuth.data;
      const account = { email, password, profile, preferences, turn: turnOf(caller) };
      return at(INITIAL_AUTH, () => administration.register(caller.accountId, account));
    }),
    createRole: replyToBody(201, ({ path, body, caller }) => roles.create(caller.accountId, path.target, body)),
    assignRole: reply(200, ({ path, caller }) => roles.assign(caller.accountId, path.accountId.toLowerCase(), path)),
  }) satisfies Part;

const resourceHandlers = ({ resources, workplaces }: EnterpriseServices) =>
  ({
    listOrganizations: reply(200, ({ query, caller }) => workplaces.organizations({ caller: caller.accountId, query })),
    getWorkplace: reply(200, ({ path, query, caller }) =>
      workplaces.show({ caller: caller.accountId, ...path, query }),
    ),
    createOrganization: reply(201, ({ body: { _id: id, profile = {} }, caller }) =>
      resources.createOrganization(caller.accountId, { id, profile }),
    ),
    createTenant: reply(201, ({ path, body }) => resources.createTenant(path.target, body ?? {})),
    getResource: reply(200, ({ path }) => resources.get(path.target)),
    deleteResource: done(204, ({ path, rights }) => resources.remove(rights, path.target)),
  }) satisfies Part;

const configurationHandlers = ({ configurations, walletCreation }: EnterpriseServices) =>
  ({
    createService: replyToBody(201, ({ path, body, rights }) => configurations.create({ rights, ...path }, body)),
    createServices: async ({ path, body: { services, wallet }, caller, rights }) => {
      const request = { caller: caller.accountId, rights, ...path };
      if (wallet) {
        const create = () => walletCreation.create({ ...request, origin: originOf(caller) }, wallet);
        const { services: all, isNew } = await at(['body', 'wallet'], create);
        return { status: isNew ? 201 : 200, body: all };
      }
      const written = services as Record<string, WrittenConfiguration>;
      return { status: 201, body: await at(['body', 'services'], () => configurations.createAll(request, written)) };
    },
    updateService: replyToBody(200, ({ path, body, rights }) => configurations.update({ rights, ...path }, body)),
    ...dependencyHandlers(configurations),
    removeDependency: reply(200, async ({ path, body, rights }) => [
      ...(await configurations.removeDependency({ rights, ...path }, writtenDependency(body).target)),
    ]),
  }) satisfies Part;

/** The dependencies of services, below the API of all services and below that of each type. */
function dependencyHandlers(configurations: ServiceConfigurations) {
  const listDependencies = reply(200, async ({ path }: DependencyInput) => [
    ...(await configurations.dependencies(path)),
  ]);
  const addDependency = reply(200, async ({ path, rights, body }: DependencyInput & { body: WrittenDependency }) => {
    const { target, place } = writtenDependency(body);
    return [...(await at(place, () => configurations.addDependency({ rights, ...path }, target)))];
  });
  return {
    listDependencies,
    addDependency,
    listServiceDependencies: listDependencies,
    listServiceDependenciesV2: listDependencies,
    addServiceDependency: addDependency,
    addServiceDependencyV2: addDependency,
  } satisfies Part;
}

interface DependencyInput {
  path: { target: string; api?: string };
  rights: Rights;
}

type WrittenDependency = string | { dependency: string };

/** A dependency is sent as text or as the member of an object. */
const writtenDependency = (body: WrittenDependency): { target: string; place: string[] } =>
  typeof body === 'string'
    ? { target: body.trim(), place: ['body'] }
    : { target: body.dependency, place: ['body', 'dependency'] };

const serviceHandlers = ({ kms, didStores, credentialStores }: EnterpriseServices) =>
  ({
    generateKey: replyToBody(201, ({ path, body, caller, rights }) =>
      kms.createKey({ rights, ...path }, { ...body, ...originOf(caller) }),
    ),
    addDid: replyToBody(201, ({ path, body, rights }) => didStores.add({ rights, ...path }, body)),
    addCredential: replyToBody(201, ({ path, body, rights }) => credentialStores.add({ rights, ...path }, body)),
  }) satisfies Part;

const listHandlers = ({ lists }: EnterpriseServices) =>
  ({
    listResources: listPages(lists, LISTS.listResources),
    listKeys: listPages(lists, LISTS.listKeys),
    listDids: listOrElement(lists, LISTS.listDids, RESOURCE_KINDS.dids),
    listDidIds: listPages(lists, LISTS.listDidIds),
    listCredentials: listPages(lists, LISTS.listCredentials),
    listCredentialIds: listPages(lists, LISTS.listCredentialIds),
  }) satisfies Part;
