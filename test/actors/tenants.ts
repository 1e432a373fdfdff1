import { SERVICE_TYPES, type ServiceType } from '../../domain/tenancy/tree/service-types.ts';
import type { Store } from '../../ports/store.ts';
import { operationOf } from '../support/documents/contract.ts';
import { examplesOf } from '../support/documents/examples.ts';
import { documentedCall } from '../support/documents/operation-calls.ts';
import { SecretSweep } from '../support/secrets/secret-sweep.ts';
import type { TestServer } from '../support/servers/server.ts';
import { CountingStore } from '../support/stores/counting-store.ts';
import { type EnterpriseFixture, may, startEnterprise } from './tenant.ts';
import { IACA_DATA, ok } from './tenant-certificates.ts';

/** The tenants seen from the caller, whose one role has all permissions at `own`. */
export const TENANTS = {
  own: 'acme.parent.own',
  child: 'acme.parent.own.child',
  sibling: 'acme.parent.sibling',
  parent: 'acme.parent',
  other: 'other.tenant',
} as const;

/** Targets of the same length that do not exist. */
export const ABSENT: Record<'sibling' | 'other', string> = { sibling: 'acme.parent.zibling', other: 'ether.tenant' };

/** Tenants with a service of each type, what is foreign to one caller marked with canaries. */
export interface Neighbours {
  world: EnterpriseFixture;
  server: TestServer;
  store: CountingStore;
  /** Notes every answer that the caller gets. */
  sweep: SecretSweep;
  /** The bearer token of the caller, and one whose session was ended. */
  caller: string;
  ended: string;
  close(): Promise<void>;
}

const usesOf = (type: ServiceType): readonly string[] => {
  const { uses = [] }: { uses?: readonly string[] } = SERVICE_TYPES[type];
  return uses;
};
/** Those that others use come first. */
const TYPES = (Object.keys(SERVICE_TYPES) as ServiceType[]).toSorted((a, b) => usesOf(a).length - usesOf(b).length);

export async function startNeighbours(): Promise<Neighbours> {
  let store = {} as CountingStore;
  const wrapStore = (inner: Store) => {
    store = new CountingStore(inner);
    return store;
  };
  const world = await startEnterprise({}, { wrapStore });
  const sweep = new SecretSweep();
  await world.server.call('createOrganization', { json: { _id: 'other' }, token: world.root });
  for (const tenant of ['acme.parent', ...Object.values(TENANTS).filter((target) => target !== 'acme.parent')]) {
    await world.post('createTenant', tenant, { name: `${tenant} by name` });
    await addServices(world, tenant);
    await world.post('createRole', `${tenant}.role`, { name: 'Role', permissions: [] });
    await addChildren(world, tenant);
    await addCertificates(world, tenant);
  }
  for (const tenant of [TENANTS.sibling, TENANTS.other]) await plant(world, sweep, tenant);
  const [{ token: caller }, { token: ended }] = [
    await world.member([may(TENANTS.own)]),
    await world.member([may(TENANTS.own)]),
  ];
  await end(store, ended);
  const server = sweep.watch(world.server);
  return { world, server, store, sweep, caller, ended, close: () => world.close() };
}

/** Creates a service of each type with the documented configuration; it depends on the services of the tenant before it. */
async function addServices(world: EnterpriseFixture, tenant: string): Promise<void> {
  const { requestBody } = await operationOf('createService');
  const examples = examplesOf(requestBody) as { type: string }[];
  const created = new Set<string>();
  for (const type of TYPES) {
    const dependencies = usesOf(type)
      .filter((other) => created.has(other))
      .map((other) => `${tenant}.${other}`);
    const configuration = examples.find((example) => example.type === type);
    const { status } = await world.post('createService', `${tenant}.${type}`, { ...configuration, type, dependencies });
    if (status === 201) created.add(type);
  }
}

/** Creates one child of each service that stores what callers bring, as documented. */
async function addChildren({ server, root }: EnterpriseFixture, tenant: string): Promise<void> {
  for (const [type, operationId] of Object.entries(CHILDREN)) {
    const call = documentedCall(await operationOf(operationId), { target: `${tenant}.${type}.one` });
    const { status } = await server.call(operationId, { ...call, token: root });
    if (status !== 201) throw new Error(`${operationId} was answered with ${status}`);
  }
}

/** Creates a certificate, the service that needs one, and the one that needs its key. */
async function addCertificates({ post }: EnterpriseFixture, tenant: string): Promise<void> {
  const kid = `${tenant}.kms.certified`;
  await ok(post('generateKey', kid, { keyType: 'secp256r1' }), 201);
  const wanted = { kid, certificateId: 'one', certificateData: IACA_DATA };
  const { certificate } = await ok(post('createTenantIaca', `${tenant}.x509-service`, wanted), 201);
  const dependencies = [`${tenant}.kms`, `${tenant}.x509-store`];
  const config = { type: 'vical-service', dependencies, kid, x5Chain: [certificate.data.pem] };
  await ok(post('createService', `${tenant}.vical-service`, config), 201);
  const attester = { type: 'client-attester', dependencies: [`${tenant}.kms`], signingKeyId: kid };
  await ok(post('createService', `${tenant}.client-attester`, attester), 201);
}

const CHILDREN = {
  kms: 'generateKey',
  'did-store': 'addDid',
  'credential-store': 'addCredential',
  'policy-store': 'addStoredPolicy',
  verifier2: 'createSavedCheck',
};

/** Creates contents of a tenant whose names and texts are looked for in all answers to the caller. */
async function plant(world: EnterpriseFixture, sweep: SecretSweep, tenant: string): Promise<void> {
  const mark = (name: string): string =>
    sweep.plant(`${name} of ${tenant}`, `canary-${name}-${tenant.replaceAll('.', '-')}`);
  const did = `did:web:${mark('domain')}.example`;
  const planted = [
    await world.post('createTenant', `${tenant}.${mark('tenant')}`, { name: mark('title') }),
    await world.post('createService', `${tenant}.${mark('service')}`, {
      type: 'kms',
      description: mark('description'),
    }),
    await world.post('generateKey', `${tenant}.kms.${mark('key')}`, {}),
    await world.post('addDid', `${tenant}.did-store.${mark('did')}`, { did, document: { id: did } }),
    await world.post('addCredential', `${tenant}.credential-store.${mark('credential')}`, {
      credential: { type: 'x', credentialData: { name: mark('claim') }, signed: mark('signed') },
    }),
    await world.post('createRole', `${tenant}.${mark('role')}`, { name: mark('role-name'), permissions: [] }),
  ];
  const failed = planted.filter(({ status }) => status !== 201);
  if (failed.length > 0) throw new Error(JSON.stringify(failed));
}

/** Ends the session of a token in the store, as a logout does. */
async function end(store: CountingStore, token: string): Promise<void> {
  const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  await store
    .collection({ name: 'login-sessions', listed: false, sealed: false, afterRestore: 'kept' })
    .remove({ id: jti });
}
