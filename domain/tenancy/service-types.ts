import type { Action } from './permissions.ts';
import { RESOURCE_KINDS, type ResourceKind } from './resource-kinds.ts';

/** The children of a service: their kind, and what creating and listing them requires. */
export interface ServiceChildren<C extends object, S> {
  kind: ResourceKind<C, S>;
  create: Action;
  list: Action;
}

/** Every type of service (interface: Enterprise), with what its services contain, if anything. */
export const SERVICE_TYPES = {
  kms: { children: { kind: RESOURCE_KINDS.keys, create: 'key-create', list: 'list-keys' } },
  'did-store': { children: { kind: RESOURCE_KINDS.dids, create: 'did-create', list: 'did-list' } },
  'credential-store': {
    children: { kind: RESOURCE_KINDS.credentials, create: 'credential-create', list: 'credential-list' },
  },
  'did-service': {},
  'did-registry': {},
  'credential-status': {
    children: {
      kind: RESOURCE_KINDS.statusCredentials,
      create: 'status-credential-create',
      list: 'status-credential-list',
    },
  },
  'policy-store': {},
  'x509-service': {},
  'x509-store': {},
  issuer: {},
  issuer2: {},
  verifier: {},
  verifier2: {},
  'vical-service': {},
  'client-attester': {},
  'trust-registry': {},
  'oidc-bridge': {},
  wallet: {},
} as const satisfies Record<string, { children?: ServiceChildren<object, unknown> }>;

export type ServiceType = keyof typeof SERVICE_TYPES;

const TABLE: Readonly<Record<string, { children?: ServiceChildren<object, unknown> }>> = SERVICE_TYPES;

/** What a resource of this type contains besides resources; undefined for organizations, tenants and most services. */
export const childrenOf = (type: string): ServiceChildren<object, unknown> | undefined =>
  Object.hasOwn(TABLE, type) ? TABLE[type]?.children : undefined;

/** The types of the resources that contain children of this kind. */
export const containersOf = <C extends object, S>({ name }: ResourceKind<C, S>): readonly string[] =>
  name === RESOURCE_KINDS.resources.name
    ? ['organization', 'tenant']
    : Object.keys(TABLE).filter((type) => childrenOf(type)?.kind.name === name);
