import type { KeyReference } from '../../ports/key-service.ts';
import type { JsonObject } from '../foundation/json.ts';
import { type ResourceContent, shownResource } from './resource-content.ts';

/** A kind of thing in the tree, kept by its parent: what everybody who may see it gets, and a secret beside it. */
export interface ResourceKind<C extends object, S = never> {
  /** The collection; secrets are kept in `<name>-secrets`, always sealed. */
  name: string;
  /** Whether the content is sealed at rest too, because it is about people. */
  sealed: boolean;
  /** Whether version 0.1.0 kept the content in clear. */
  wasClear?: boolean;
  /** What is shown of the content, whatever is kept; without it all of it. */
  shown?(content: C): C;
  /** The type of the service that holds things of this kind; undefined for what stands in the tree itself. */
  serviceType?: string;
  /** Phantoms: tie the kind to its content and its secret. */
  readonly content?: C;
  readonly secret?: S;
}

/** A key of a key management service; `key` is its public part in the shape of its backend. */
export interface KeyContent {
  type: 'key';
  key: JsonObject & { type: string };
}

export interface DidContent {
  did: string;
  document: JsonObject;
}

export interface CredentialContent {
  credential: JsonObject & { type: string };
}

export const RESOURCES: ResourceKind<ResourceContent & JsonObject, JsonObject> = {
  name: 'enterprise-resources',
  sealed: true,
  wasClear: true,
  shown: shownResource,
};
export const KEYS: ResourceKind<KeyContent, KeyReference> = {
  name: 'enterprise-keys',
  sealed: false,
  serviceType: 'kms',
};
export const DIDS: ResourceKind<DidContent> = { name: 'enterprise-dids', sealed: false, serviceType: 'did-store' };
export const CREDENTIALS: ResourceKind<CredentialContent> = {
  name: 'enterprise-credentials',
  sealed: true,
  serviceType: 'credential-store',
};

/** What services hold. */
export const RESOURCE_KINDS: readonly ResourceKind<object, unknown>[] = [KEYS, DIDS, CREDENTIALS];

/** The kind of thing a service of this type holds; organizations and tenants hold what stands in the tree. */
export const kindOf = (type: string): ResourceKind<object, unknown> =>
  RESOURCE_KINDS.find(({ serviceType: holder }) => holder === type) ?? RESOURCES;

/** One list of the contract (interface: Enterprise list endpoints). */
export interface List<C extends object> {
  /** What the caller must be allowed to do at the target. */
  action: string;
  sortable: boolean;
  /** What is listed; undefined when the target decides, as for resources. */
  kind?: ResourceKind<C, unknown>;
}

/**
 * The lists. One row is all it takes to serve another of the contract's fourteen, because paging, sorting, permissions
 * and the removal of secrets are the same for all. For one more, say the certificates of an `x509-store`:
 *
 * 1. a kind beside the others above, `CERTIFICATES = {name: 'enterprise-certificates', sealed: false, holder:
 *    'x509-store'}`, and its entry in `HELD`, which makes `resources/list` and single reads know it;
 * 2. a row here, `listCertificates: {action: 'certificate-list', sortable: true, kind: CERTIFICATES}`, and one for its
 *    ids, `listCertificateIds: {action: 'certificate-list', sortable: false, kind: CERTIFICATES}`;
 * 3. the two paths in openapi/enterprise.yaml (`x-late-query: true`, parameters `Limit`, `Offset` and, where sortable,
 *    `Sort`) and a line for each in the handlers, `list(LISTS.listCertificates)` and `ids(LISTS.listCertificateIds)`;
 * 4. the create sibling: a method that checks its input and calls `Tree.add(CERTIFICATES, …)`.
 *
 * Sessions (`/v2/{target}/issuer-service-api/sessions`, `/v1/{target}/verifier2-service-api/sessions`) come with their
 * services, which keep them by the service's target as parent; policies, status credentials and VICAL versions are rows
 * like the certificates.
 */
export const LISTS = {
  listResources: { action: 'resource-list', sortable: false },
  listKeys: { action: 'list-keys', sortable: true, kind: KEYS },
  listDids: { action: 'did-list', sortable: true, kind: DIDS },
  listDidIds: { action: 'did-list', sortable: false, kind: DIDS },
  listCredentials: { action: 'credential-list', sortable: true, kind: CREDENTIALS },
  listCredentialIds: { action: 'credential-list', sortable: false, kind: CREDENTIALS },
} as const;
