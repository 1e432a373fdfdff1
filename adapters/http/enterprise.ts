import { at } from '../../domain/foundation/errors.ts';
import type { Administration } from '../../domain/tenancy/administration.ts';
import type { Bootstrap } from '../../domain/tenancy/bootstrap.ts';
import type { Held } from '../../domain/tenancy/held.ts';
import type { ListRequest, Lists } from '../../domain/tenancy/lists.ts';
import { LISTS, type List, type ResourceKind } from '../../domain/tenancy/resource-kinds.ts';
import type { Resources } from '../../domain/tenancy/resources.ts';
import type { Roles } from '../../domain/tenancy/roles.ts';
import { nameOf, type Target } from '../../domain/tenancy/targets.ts';
import { NO_STORE } from './answer.ts';
import { type Caller, type Handlers, type LateQuery, limitedSource } from './operations.ts';

/** What the handlers of the document `enterprise` need. */
export interface EnterpriseServices {
  bootstrap: Bootstrap;
  administration: Administration;
  roles: Roles;
  resources: Resources;
  held: Held;
  lists: Lists;
}

type Part = Partial<Handlers<'enterprise'>>;

/** The enterprise services. */
export const enterpriseHandlers = (services: EnterpriseServices): Handlers<'enterprise'> => ({
  ...accountHandlers(services),
  ...resourceHandlers(services),
  ...heldHandlers(services),
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
      await bootstrap.activate(typeof body === 'string' ? body.trim() : body.token, limitedSource(caller));
      return { status: 200, body: 'account activated' };
    },
    loginEnterpriseAccount: async ({ body, caller }) => ({
      status: 200,
      body: { token: await at(['body'], () => administration.login({ ...body, source: limitedSource(caller) })) },
      headers: NO_STORE,
    }),
    registerEnterpriseAccount: async ({ body, caller }) => {
      const { profile, preferences, initialAuth } = body;
      const { email } = initialAuth.identifier;
      const { password } = initialAuth.data;
      const account = { email, password, profile, preferences, source: limitedSource(caller) };
      return { status: 201, body: await at(INITIAL_AUTH, () => administration.register(caller.accountId, account)) };
    },
    createRole: async ({ path, body, caller }) => ({
      status: 201,
      body: await at(['body'], () => roles.create(caller.accountId, path.target, body)),
    }),
    assignRole: async ({ path, caller }) => ({
      status: 200,
      body: await roles.assign(caller.accountId, path.accountId.toLowerCase(), path),
    }),
  }) satisfies Part;

const resourceHandlers = ({ resources }: EnterpriseServices) =>
  ({
    createOrganization: async ({ body: { _id: id, profile = {} }, caller }) => ({
      status: 201,
      body: await resources.createOrganization(caller.accountId, { id, profile }),
    }),
    createTenant: async ({ path, body, caller }) => ({
      status: 201,
      body: await resources.createTenant(caller.accountId, path.target, body ?? {}),
    }),
    createService: async ({ path, body, caller }) => ({
      status: 201,
      body: await resources.createService(caller.accountId, path.target, body),
    }),
    getResource: async ({ path, caller }) => ({
      status: 200,
      body: await resources.get(caller.accountId, path.target),
    }),
    deleteResource: async ({ path, caller }) => {
      await resources.remove(caller.accountId, path.target);
      return { status: 204 };
    },
  }) satisfies Part;

const heldHandlers = ({ held }: EnterpriseServices) =>
  ({
    generateKey: async ({ path, body, caller }) => ({
      status: 201,
      body: await at(['body'], () => held.generateKey(caller.accountId, path.target, body)),
    }),
    addDid: async ({ path, body, caller }) => ({
      status: 201,
      body: await at(['body'], () => held.addDid(caller.accountId, path.target, body)),
    }),
    addCredential: async ({ path, body, caller }) => ({
      status: 201,
      body: await at(['body'], () => held.addCredential(caller.accountId, path.target, body)),
    }),
  }) satisfies Part;

interface ListInput {
  path: { target: string };
  query: LateQuery<unknown>;
  caller: Caller;
}

const requestOf = ({ path, query, caller }: ListInput): ListRequest => ({
  caller: caller.accountId,
  target: path.target,
  query,
});

function listHandlers({ lists }: EnterpriseServices) {
  const list =
    <C extends object>(row: List<C> & { kind: ResourceKind<C, unknown> }) =>
    async (input: ListInput) => ({ status: 200 as const, body: await lists.elements(row, requestOf(input)) });
  const ids =
    <C extends object>(row: List<C> & { kind: ResourceKind<C, unknown> }, show = (target: Target): string => target) =>
    async (input: ListInput) => {
      const targets = await lists.targets(row, requestOf(input));
      return { status: 200 as const, body: targets.map(show) };
    };
  return {
    listResources: async (input) => ({ status: 200, body: await lists.resources(requestOf(input)) }),
    listKeys: list(LISTS.listKeys),
    listDids: list(LISTS.listDids),
    listDidIds: ids(LISTS.listDidIds, nameOf),
    listCredentials: list(LISTS.listCredentials),
    listCredentialIds: ids(LISTS.listCredentialIds),
  } satisfies Part;
}
