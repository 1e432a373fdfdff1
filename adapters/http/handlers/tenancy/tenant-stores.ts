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
import { done, type Handlers, reply, replyToBody } from '../../messages/operations.ts';
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

/** Deletes the child of a service. */
const deletion = (resources: Resources, kind: ResourceKind<object>) =>
  done(204, ({ path, rights }: ChildInput) => resources.remove(rights, path.target, kind));

const keyHandlers = ({ kms, resources }: TenantStoreServices) =>
  ({
    importTenantKey: reply(201, ({ path, body, rights }) =>
      at({ jwk: ['body'] }, () => kms.importKey({ rights, ...path }, body)),
    ),
    signWithTenantKey: replyToBody(200, ({ path, body }) => kms.sign(path.target, body)),
    getTenantKey: reply(200, ({ path }) => resources.child(path.target, SERVICE_TYPES.kms.children)),
    deleteTenantKey: deletion(resources, RESOURCE_KINDS.keys),
  }) satisfies Part;

const didHandlers = ({ didStores, resources }: TenantStoreServices) =>
  ({
    createTenantDid: replyToBody(201, ({ path, body, rights }) => didStores.createDid({ rights, ...path }, body)),
    replaceTenantDid: replyToBody(200, ({ path, body }) => didStores.replace(path.target, body)),
    deleteTenantDid: deletion(resources, RESOURCE_KINDS.dids),
  }) satisfies Part;

const credentialHandlers = ({ credentialStores, resources }: TenantStoreServices) =>
  ({
    getTenantCredential: reply(200, ({ path }) =>
      resources.child(path.target, SERVICE_TYPES['credential-store'].children),
    ),
    replaceTenantCredential: replyToBody(200, ({ path, body }) => credentialStores.replace(path.target, body)),
    deleteTenantCredential: deletion(resources, RESOURCE_KINDS.credentials),
    deleteTenantCredentials: reply(200, async ({ path, rights }) => ({
      deleted: await resources.removeChildren(rights, path.target, SERVICE_TYPES['credential-store'].children),
    })),
  }) satisfies Part;

const policyHandlers = ({ policyStores, resources, lists }: TenantStoreServices) =>
  ({
    addStoredPolicy: replyToBody(201, ({ path, body, rights }) => policyStores.add({ rights, ...path }, body)),
    addNamedPolicy: replyToBody(201, ({ path, body, rights }) => policyStores.addNamed({ rights, ...path }, body)),
    getStoredPolicy: reply(200, ({ path }) => resources.child(path.target, SERVICE_TYPES['policy-store'].children)),
    replaceStoredPolicy: replyToBody(200, ({ path, body }) => policyStores.replace(path.target, body)),
    deleteStoredPolicy: deletion(resources, RESOURCE_KINDS.policies),
    listStoredPolicies: listPages(lists, LISTS.listStoredPolicies),
    listStoredPolicyIds: listPages(lists, LISTS.listStoredPolicyIds),
  }) satisfies Part;
