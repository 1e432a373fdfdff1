import { DID_STORE, type EnterpriseFixture, KMS } from './tenant.ts';
import { ok } from './tenant-certificates.ts';

export const DID_SERVICE = 'acme.t1.did1';
export const DID_REGISTRY = 'acme.t1.registry1';
/** The second DID store of the service, and the only one of neither. */
export const SECOND_STORE = 'acme.t1.dids2';

/** A key of the tenant's kms. */
export const key = (name: string): string => `${KMS}.${name}`;

/** A DID service with two stores and the keys `one`, `two`, `three` (P-256) and `edward` (Ed25519), and a registry of both. */
export async function startDids({ post }: EnterpriseFixture): Promise<void> {
  for (const name of ['one', 'two', 'three']) await ok(post('generateKey', key(name), { keyType: 'secp256r1' }), 201);
  await ok(post('generateKey', key('edward'), { keyType: 'Ed25519' }), 201);
  await ok(post('createService', SECOND_STORE, { type: 'did-store' }), 201);
  const stores = [DID_STORE, SECOND_STORE];
  await ok(post('createService', DID_SERVICE, { type: 'did', dependencies: [KMS, ...stores] }), 201);
  await ok(post('createService', DID_REGISTRY, { type: 'did-registry', dependencies: stores }), 201);
}

/** Sends a new DID of a method to the service. */
export const createDid = ({ server, root }: EnterpriseFixture, method: string, json: object, token = root) =>
  server.call('createServiceDid', { path: { target: DID_SERVICE, method }, json, token });

/** The path of a DID that is below the registry. */
export const belowRegistry = (id: string): string => `v1/${DID_REGISTRY}/did-registry-service-api/registry/${id}`;
