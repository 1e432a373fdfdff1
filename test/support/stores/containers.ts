import { nodePemKeys } from '../../../adapters/crypto/pem-keys.ts';
import { systemClock, systemIds, systemTimers } from '../../../adapters/system/system.ts';
import { createDid } from '../../../domain/dids/did-methods.ts';
import { ignoring } from '../../../domain/foundation/errors.ts';
import { insertFirst } from '../../../domain/foundation/records.ts';
import { Dids } from '../../../domain/holdings/dids.ts';
import { Keys } from '../../../domain/holdings/keys.ts';
import { NAMED_STORES, ownStores, WalletStores } from '../../../domain/holdings/places/wallet-stores.ts';
import { Access } from '../../../domain/tenancy/access/access.ts';
import { Principals } from '../../../domain/tenancy/access/principals.ts';
import { Roles } from '../../../domain/tenancy/accounts/roles.ts';
import { DidNames } from '../../../domain/tenancy/services/dids/did-names.ts';
import {
  ServiceConfigurations,
  type WrittenConfiguration,
  type WrittenServices,
} from '../../../domain/tenancy/services/service-configurations.ts';
import { ServiceConnections } from '../../../domain/tenancy/services/service-connections.ts';
import { RESOURCE_KINDS } from '../../../domain/tenancy/tree/resource-kinds.ts';
import { ResourceRepository } from '../../../domain/tenancy/tree/resource-repository.ts';
import { ResourceTree } from '../../../domain/tenancy/tree/resource-tree.ts';
import { Resources } from '../../../domain/tenancy/tree/resources.ts';
import type { Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { localDids } from '../keys/local-dids.ts';
import { localKeys } from '../keys/local-keys.ts';
import { silentActivity } from '../servers/silent-activity.ts';

/** A container, a child that is added to it, and its removal. Each call is one request on a store. */
export interface Container {
  make(store: Store): Promise<unknown>;
  add(store: Store): Promise<unknown>;
  remove(store: Store): Promise<unknown>;
  removeChild(store: Store): Promise<unknown>;
  hasContainer(store: Store): Promise<boolean>;
  hasChild(store: Store): Promise<boolean>;
  /** Whether removing the container removes the child; otherwise the child prevents the removal. */
  cascades: boolean;
}

const { keys: KEYS, resources: RESOURCES } = RESOURCE_KINDS;
const ROOT = 'root';
const RIGHTS = { everything: true } as const;
const { backends } = localKeys();

/** The services of the tenant API on a store. */
interface Tenancy {
  tree: ResourceTree;
  principals: Principals;
  resources: Resources;
  configurations: ServiceConfigurations;
  roles: Roles;
}

function tenancy(store: Store, clock: Clock = systemClock): Tenancy {
  const principals = new Principals(store, systemIds);
  const access = new Access(principals);
  const repository = new ResourceRepository(store, systemIds);
  const tree = new ResourceTree(repository);
  const resources = new Resources({
    access,
    principals,
    tree,
    keys: backends,
    credentialGone: () => undefined,
    repository,
    didNames: new DidNames(store, repository),
    cleanUps: [(target) => principals.removeRoles(target)],
  });
  const configurations = new ServiceConfigurations({
    store,
    clock,
    timers: systemTimers,
    ids: systemIds,
    tree,
    cleanUps: [],
    connections: new ServiceConnections(repository, tree),
    checks: {},
  });
  return { tree, principals, resources, configurations, roles: new Roles(access, principals, tree) };
}

async function organization(store: Store): Promise<Resources> {
  const { principals, resources } = tenancy(store);
  await principals.add(ROOT, { superadmin: true, roles: [], profile: {} }).catch(() => undefined);
  await resources.createOrganization(ROOT, { id: 'acme', profile: {} }).catch(() => undefined);
  return resources;
}

const createService = (store: Store, target: string, configuration: WrittenConfiguration) =>
  tenancy(store).configurations.create({ rights: RIGHTS, target }, configuration);

/** An organization with a tenant, and the calls that create its services. */
export const creations = {
  make: async (store: Store, tenant: string) => (await organization(store)).createTenant(tenant, {}),
  create: (store: Store, clock: Clock, { tenant, services }: ServicePlan) =>
    tenancy(store, clock).configurations.createAll({ caller: ROOT, rights: RIGHTS, target: tenant }, services),
  /** The type of a service; undefined when there is none. */
  typeOf: async (store: Store, target: string) => (await tenancy(store).tree.lookUp(target))?.type,
  remove: (store: Store, target: string) => tenancy(store).resources.remove(RIGHTS, target),
};

/** A call that creates services below a tenant. */
export interface ServicePlan {
  tenant: string;
  services: WrittenServices;
}

const isThere = (store: Store, target: string): Promise<boolean> =>
  tenancy(store)
    .resources.get(target)
    .then(
      () => true,
      () => false,
    );

const tenantWithService: Container = {
  make: async (store) => (await organization(store)).createTenant('acme.t1', {}),
  add: (store) => createService(store, 'acme.t1.kms', { type: 'kms', password: 'x' }),
  remove: (store) => tenancy(store).resources.remove(RIGHTS, 'acme.t1'),
  removeChild: (store) => tenancy(store).resources.remove(RIGHTS, 'acme.t1.kms'),
  hasContainer: (store) => isThere(store, 'acme.t1'),
  hasChild: (store) => isThere(store, 'acme.t1.kms'),
  cascades: false,
};

/** The same key each time: what is tested is where it is stored. */
let secret: ReturnType<typeof backends.create> | undefined;

const serviceWithKey: Container = {
  make: async (store) => {
    await organization(store);
    await createService(store, 'acme.kms', { type: 'kms' });
  },
  add: async (store) => {
    secret ??= backends.create('jwk', { keyType: 'Ed25519' });
    const content = { type: 'key' as const, key: { type: 'jwk' } };
    return tenancy(store).tree.add(KEYS, 'acme.kms.key', { content, secret: await secret });
  },
  remove: (store) => tenancy(store).resources.remove(RIGHTS, 'acme.kms'),
  removeChild: (store) => tenancy(store).resources.remove(RIGHTS, 'acme.kms.key'),
  hasContainer: (store) => isThere(store, 'acme.kms'),
  // Read from the store: without its service no request reaches it.
  hasChild: (store) => tenancy(store).tree.exists(KEYS, 'acme.kms.key'),
  cascades: false,
};

const tenantWithRole: Container = {
  make: async (store) => (await organization(store)).createTenant('acme.t2', {}),
  add: (store) => tenancy(store).roles.create(ROOT, 'acme.t2.reader', { name: 'Reader', permissions: [] }),
  remove: (store) => tenancy(store).resources.remove(RIGHTS, 'acme.t2'),
  removeChild: (store) => tenancy(store).principals.removeRoles('acme.t2'),
  hasContainer: (store) => tenancy(store).tree.exists(RESOURCES, 'acme.t2'),
  hasChild: async (store) => (await tenancy(store).principals.role('acme.t2.reader')) !== undefined,
  cascades: true,
};

const ISSUER = { rights: RIGHTS, target: 'acme.issuer' };

/** A service and the dependency of another on it. */
const serviceWithDependent: Container = {
  make: async (store) => {
    await serviceWithKey.make(store);
    await createService(store, ISSUER.target, { type: 'issuer2' }).catch(() => undefined);
  },
  add: (store) => tenancy(store).configurations.addDependency(ISSUER, 'acme.kms'),
  remove: serviceWithKey.remove,
  removeChild: (store) => tenancy(store).configurations.removeDependency(ISSUER, 'acme.kms'),
  hasContainer: serviceWithKey.hasContainer,
  hasChild: async (store) => (await tenancy(store).configurations.dependencies(ISSUER)).includes('acme.kms'),
  cascades: false,
};

/** A service and another that is created with a dependency on it. */
const serviceWithNewDependent: Container = {
  make: serviceWithKey.make,
  add: (store) => createService(store, ISSUER.target, { type: 'issuer2', dependencies: ['acme.kms'] }),
  remove: serviceWithKey.remove,
  removeChild: (store) => tenancy(store).resources.remove(RIGHTS, ISSUER.target),
  hasContainer: serviceWithKey.hasContainer,
  hasChild: (store) => isThere(store, ISSUER.target),
  cascades: false,
};

/** An organization and the role of its administrator, which is made with it. */
export const ORGANIZATION: Omit<Container, 'add' | 'removeChild' | 'cascades'> = {
  make: async (store) => {
    const { principals, resources } = tenancy(store);
    await principals.add(ROOT, { superadmin: true, roles: [], profile: {} }).catch(() => undefined);
    await resources.createOrganization(ROOT, { id: 'beta', profile: {} });
  },
  remove: (store) => tenancy(store).resources.remove(RIGHTS, 'beta'),
  hasContainer: (store) => isThere(store, 'beta'),
  hasChild: async (store) => (await tenancy(store).principals.role('beta.admin')) !== undefined,
};

const WALLET = 'wallet1';
const wallet = (store: Store): { keys: Keys; dids: Dids } => {
  const stores = new WalletStores({ store, clock: systemClock });
  const keys = new Keys({ store, stores, keys: backends, pems: nodePemKeys, configs: {}, activity: silentActivity });
  return {
    keys,
    dids: new Dids({
      store,
      stores,
      keys,
      ...localDids(store),
      defaultKey: { backend: 'jwk', keyType: 'Ed25519' },
      activity: silentActivity,
    }),
  };
};

/** Two wallets with one key store: the key is deleted in the first, and the second creates a DID of it. */
function sharedKeyWithDid(): Container {
  const [first, second] = ['wallet-a', 'wallet-b'];
  const shared = { id: 'shared', place: 'store:shared' };
  const { make, hasContainer, ...rest } = keyWithDid(first, second);
  return {
    ...rest,
    make: async (store) => {
      const stores = new WalletStores({ store, clock: systemClock });
      for (const walletId of [first, second])
        await stores
          .define(walletId, { stores: { ...ownStores(walletId), keys: [shared] } })
          .catch(ignoring('Conflict'));
      const users = [first, second].map((walletId) => ({ walletId, since: 0 }));
      const value = { place: shared.place, users };
      await insertFirst(store.collection(NAMED_STORES), { id: shared.id, parent: 'keys', value });
      await make(store);
    },
    hasContainer,
  };
}

/** Each run creates a new key, so the last created one is used. */
function keyWithDid(owner = WALLET, user = owner): Container {
  let keyId = '';
  let did = '';
  return {
    make: async (store) => {
      const { keys } = wallet(store);
      keyId = await keys.create(owner, { backend: 'jwk', keyType: 'Ed25519' });
      did = createDid({ method: 'jwk', jwk: (await keys.get({ owner, id: keyId })).publicJwk, config: {} });
    },
    add: (store) => wallet(store).dids.create(user, { method: 'jwk', keyId }),
    remove: (store) => wallet(store).keys.remove({ owner, id: keyId }),
    removeChild: (store) => wallet(store).dids.remove(user, did),
    hasContainer: async (store) => (await wallet(store).keys.list(owner)).some(({ id }) => id === keyId),
    hasChild: async (store) => (await wallet(store).dids.list(user)).some((entry) => entry.did === did),
    cascades: false,
  };
}

/** Every container that can be removed while a child is added. */
export const CONTAINERS: Record<string, Container> = {
  'a tenant and a service': tenantWithService,
  'a service and a key': serviceWithKey,
  'a service and a dependency on it': serviceWithDependent,
  'a service and one that is created with a dependency on it': serviceWithNewDependent,
  'a tenant and a role': tenantWithRole,
  'the key of a wallet and a DID': keyWithDid(),
  'a key that two wallets share and a DID of the other one': sharedKeyWithDid(),
};
