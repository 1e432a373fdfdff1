import { at } from '../../../../domain/foundation/errors.ts';
import type { Rights } from '../../../../domain/tenancy/access/permissions.ts';
import type { CredentialStores } from '../../../../domain/tenancy/services/credential-store.ts';
import type { DidStores } from '../../../../domain/tenancy/services/did-store.ts';
import type { KeyManagementServices } from '../../../../domain/tenancy/services/kms.ts';
import { LISTS, type Lists } from '../../../../domain/tenancy/services/lists.ts';
import type { PolicyStores } from '../../../../domain/tenancy/services/policy-store.ts';
import { RESOURCE_KINDS, type ResourceKind } from '../../../../domain/tenancy/tree/resource-kinds.ts';
import type { Resources } from '../../../../domain/tenancy/tree/resources.ts';
import { SERVICE_TYPES } from '../../../../domain/tenancy/tree/service-types.ts';
import type { Handlers } from '../../messages/operations.ts';
import { listPages } from './list-pages.ts';

/** What the handlers of the document `tenant-stores` need. */
export interface TenantStoreServices {
  resources: Resources;
  kms: KeyManagementServices;
  didStores: DidStores;
  credentialStores: CredentialStores;
  policyStores: PolicyStores;
  lists: Lists;
}

type Part = Partial<Handlers<'tenant-stores'>>;

/** What the stores of tenants contain: keys, DIDs, credentials and policies. */
export const tenantStoreHandlers = (services: TenantStoreServices): Handlers<'tenant-stores'> => ({
  ...keyHandlers(services),
  ...didHandlers(services),
  ...credentialHandlers(services),
  ...policyHandlers(services),
});

interface ChildInput {
  path: { target: string };
  rights: Rights;
}

const requestOf = ({ path, rights }: ChildInput) => ({ rights, target: path.target });

/** Deletes the child of a service. */
const deletion =
  (resources: Resources, kind: ResourceKind<object>) =>
  async ({ path, rights }: ChildInput) => {
    await resources.remove(rights, path.target, kind);
    return { status: 204 as const };
  };

const keyHandlers = ({ kms, resources }: TenantStoreServices) =>
  ({
    importTenantKey: async ({ body, ...input }) => ({
      status: 201,
      body: await at({ jwk: ['body'] }, () => kms.importKey(requestOf(input), body)),
    }),
    signWithTenantKey: async ({ body, ...input }) => ({
      status: 200,
      body: await at(['body'], () => kms.sign(input.path.target, body)),
    }),
    getTenantKey: async ({ path }) => ({
      status: 200,
      body: await resources.child(path.target, SERVICE_TYPES.kms.children),
    }),
    deleteTenantKey: deletion(resources, RESOURCE_KINDS.keys),
  }) satisfies Part;

const didHandlers = ({ didStores, resources }: TenantStoreServices) =>
  ({
    createTenantDid: async ({ body, ...input }) => ({
      status: 201,
      body: await at(['body'], () => didStores.createDid(requestOf(input), body)),
    }),
    replaceTenantDid: async ({ body, ...input }) => ({
      status: 200,
      body: await at(['body'], () => didStores.replaceDid(requestOf(input), body)),
    }),
    deleteTenantDid: deletion(resources, RESOURCE_KINDS.dids),
  }) satisfies Part;

const credentialHandlers = ({ credentialStores, resources }: TenantStoreServices) =>
  ({
    getTenantCredential: async ({ path }) => ({
      status: 200,
      body: await resources.child(path.target, SERVICE_TYPES['credential-store'].children),
    }),
    replaceTenantCredential: async ({ body, ...input }) => ({
      status: 200,
      body: await at(['body'], () => credentialStores.replaceCredential(requestOf(input), body)),
    }),
    deleteTenantCredential: deletion(resources, RESOURCE_KINDS.credentials),
  }) satisfies Part;

const policyHandlers = ({ policyStores, resources, lists }: TenantStoreServices) =>
  ({
    addStoredPolicy: async ({ body, ...input }) => ({
      status: 201,
      body: await at(['body'], () => policyStores.addPolicy(requestOf(input), body)),
    }),
    getStoredPolicy: async ({ path }) => ({
      status: 200,
      body: await resources.child(path.target, SERVICE_TYPES['policy-store'].children),
    }),
    replaceStoredPolicy: async ({ body, ...input }) => ({
      status: 200,
      body: await at(['body'], () => policyStores.replacePolicy(requestOf(input), body)),
    }),
    deleteStoredPolicy: deletion(resources, RESOURCE_KINDS.policies),
    listStoredPolicies: listPages(lists, LISTS.listStoredPolicies),
    listStoredPolicyIds: listPages(lists, LISTS.listStoredPolicyIds),
  }) satisfies Part;
