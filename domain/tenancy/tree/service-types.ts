import { invalidField } from '../../foundation/errors.ts';
import type { Action } from '../access/permissions.ts';
import { RESOURCE_KINDS, type ResourceKind } from './resource-kinds.ts';

/** The children of a service: their kind, and what creating and listing them requires. */
export interface ServiceChildren<C extends object, S> {
  kind: ResourceKind<C, S>;
  create: Action;
  list: Action;
  /** The most of a service; not bounded when absent. */
  most?: number;
}

/** What is known of a type of service. */
interface ServiceTypeRow {
  children?: ServiceChildren<object, unknown>;
  /** The types that it may depend on. */
  uses: readonly string[];
  /** The types that it does nothing without: the last dependency of each stays. */
  needs?: readonly string[];
  /** The name of its API in paths; the type and `-service-api` when absent. */
  api?: string;
  /** Another name of its API in paths. */
  otherApi?: string;
}

/** Every type of service that is served, with what its services contain, if anything, and what they depend on. */
export const SERVICE_TYPES = {
  kms: { children: { kind: RESOURCE_KINDS.keys, create: 'key-create', list: 'list-keys' }, uses: [] },
  'did-store': { children: { kind: RESOURCE_KINDS.dids, create: 'did-create', list: 'did-list' }, uses: ['kms'] },
  'credential-store': {
    children: { kind: RESOURCE_KINDS.credentials, create: 'credential-create', list: 'credential-list' },
    uses: [],
  },
  'did-service': { uses: ['kms', 'did-store'], api: 'did-service-api' },
  'did-registry': { uses: ['did-store'] },
  'credential-status': {
    children: {
      kind: RESOURCE_KINDS.statusCredentials,
      create: 'status-credential-create',
      list: 'status-credential-list',
    },
    uses: ['kms'],
    needs: ['kms'],
  },
  'policy-store': {
    children: { kind: RESOURCE_KINDS.policies, create: 'policy-create', list: 'policy-list' },
    uses: [],
  },
  'x509-service': { uses: ['kms', 'x509-store'], needs: ['kms', 'x509-store'], api: 'x509-service-api' },
  'x509-store': {
    children: { kind: RESOURCE_KINDS.certificates, create: 'certificate-create', list: 'certificate-list' },
    uses: [],
    api: 'x509-store-api',
  },
  issuer2: {
    uses: [
      'kms',
      'did-store',
      'credential-status',
      'credential-store',
      'x509-store',
      'x509-service',
      'client-attester',
    ],
    api: 'issuer-service-api',
  },
  verifier2: {
    children: { kind: RESOURCE_KINDS.checks, create: 'check-create', list: 'check-list', most: 1000 },
    uses: ['kms', 'did-store', 'policy-store', 'x509-store', 'trust-registry', 'credential-store'],
    otherApi: 'verifier-service-api',
  },
  'vical-service': {
    children: { kind: RESOURCE_KINDS.vicalVersions, create: 'vical-publish', list: 'vical-list' },
    uses: ['kms', 'x509-store'],
    needs: ['kms', 'x509-store'],
    api: 'vical-service-api',
  },
  'client-attester': { uses: ['kms'], needs: ['kms'], api: 'client-attester-api' },
  'trust-registry': {
    children: { kind: RESOURCE_KINDS.trustedIssuers, create: 'trusted-issuer-create', list: 'trusted-issuer-list' },
    uses: [],
    api: 'trust-registry-api',
  },
  'oidc-bridge': { uses: ['kms', 'verifier2'], needs: ['verifier2'], api: 'oidc-bridge-api' },
  wallet2: {
    uses: [
      'kms',
      'did-store',
      'did-service',
      'credential-store',
      'client-attester',
      'policy-store',
      'trust-registry',
      'x509-store',
    ],
    api: 'wallet-service-api',
  },
} as const satisfies Record<string, ServiceTypeRow>;

export type ServiceType = keyof typeof SERVICE_TYPES;

/** The types of older APIs, which are not served, and what is served instead. Earlier versions stored such services. */
const UNSERVED = {
  issuer: 'issuer2',
  verifier: 'verifier2',
  wallet: 'wallet2',
} as const satisfies Record<string, ServiceType>;

/** The name of a type of service, as callers write it. */
export type ServiceTypeName = ServiceType | keyof typeof UNSERVED;

/** A type of service that is served. @throws DomainError `BadRequest` naming `type` when it is not served */
export function servedType(type: ServiceTypeName): ServiceType {
  if (!isIn(UNSERVED, type)) return type;
  const message = `services of the type ${type} are not served: create one of the type ${UNSERVED[type]}`;
  throw invalidField(['type'], message);
}

const isIn = <T extends object>(table: T, name: PropertyKey): name is keyof T => Object.hasOwn(table, name);

const TABLE: Readonly<Record<string, ServiceTypeRow>> = SERVICE_TYPES;

const rowOf = (type: string): Partial<ServiceTypeRow> => (Object.hasOwn(TABLE, type) ? (TABLE[type] ?? {}) : {});

/** What a resource of this type contains besides resources; undefined for organizations, tenants and most services. */
export const childrenOf = (type: string): ServiceChildren<object, unknown> | undefined => rowOf(type).children;

/** Whether a service of one type may depend on one of another. */
export const mayUse = (type: string, other: string): boolean => rowOf(type).uses?.includes(other) === true;

/** The types that a service of this type does nothing without. */
export const needsOf = (type: string): readonly string[] => rowOf(type).needs ?? [];

/** Whether a resource of this type is a service. */
export const isServiceType = (type: string): type is ServiceType => isIn(TABLE, type) || isIn(UNSERVED, type);

/** The name of the API of a type of service in paths. */
export const apiOf = (type: string): string => rowOf(type).api ?? `${type}-service-api`;

/** Whether a type of service is called by an API of this name in paths. */
export const hasApi = (type: string, api: string): boolean => [apiOf(type), rowOf(type).otherApi].includes(api);

/** The types of the resources that contain children of this kind. */
export const containersOf = <C extends object, S>({ name }: ResourceKind<C, S>): readonly string[] =>
  name === RESOURCE_KINDS.resources.name
    ? ['organization', 'tenant']
    : Object.keys(TABLE).filter((type) => childrenOf(type)?.kind.name === name);
