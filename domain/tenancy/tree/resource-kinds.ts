import type { KeyReference } from '../../../ports/key-service.ts';
import type { StatusListMember } from '../../credentials/formats/status-list-kinds.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { HolderPolicy } from '../../holdings/policies/holder-policies.ts';
import { type CredentialRecord, type IssuedRecord, labelOf } from '../../holdings/records.ts';
import { type ResourceContent, shownResource } from './resource-content.ts';

/** How the resources of one kind are stored: by their parent, with a public content and perhaps a secret beside it. */
export interface ResourceKind<C extends object, S = unknown> {
  /** The collection; secrets are stored in `<name>-secrets`, always sealed. */
  name: string;
  /** Whether the content is sealed at rest too, because it is about persons. */
  sealed: boolean;
  /** The part of the content that is shown; all of it when absent. */
  shown?(content: C): C;
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
  /** The target of the key that it was created for here; not of one that was brought or whose document was replaced. */
  key?: string;
  /** How often a DID service changed it; 0 when absent. */
  version?: number;
  /** Since when it is deactivated, if it is: for good. */
  deactivatedDateTime?: string;
}

export interface CredentialContent {
  credential: JsonObject & { type: string };
  /** What a credential that a wallet received is called, what its owner keeps with it, and how many copies are left; shown. */
  label?: string;
  metadata?: JsonObject;
  copies?: number;
  /** What a wallet that received it presents it with; not shown. */
  held?: HeldCredential;
}

/** A credential as it was issued. */
export interface HeldCredential extends IssuedRecord, Pick<CredentialRecord, 'label' | 'metadata'> {
  /** Milliseconds since the epoch. */
  addedAt: number;
}

/** What is shown of a credential. */
function shownCredential({ credential, held }: CredentialContent): CredentialContent {
  if (!held) return { credential };
  const { metadata, copies } = held;
  const label = labelOf(held);
  return {
    credential,
    ...(label !== undefined && { label }),
    ...(metadata && { metadata }),
    ...(copies && { copies: copies.length + 1 }),
  };
}

/** A policy with its argument. */
export interface StoredPolicy {
  policy: string;
  args?: unknown;
}

/** A policy of a policy store: of a verifier, without the secrets of its argument, or of a holder. */
export interface PolicyContent {
  /** Present for that of a verifier. */
  name?: string;
  description?: string;
  policy: StoredPolicy | HolderPolicy;
}

/** A status credential: the list of an issuer. */
export interface StatusCredentialContent {
  /** The target of the key that signs the list. */
  kid: string;
  /** PEM. */
  x5Chain?: string[];
  issuerDid?: string;
  /** Complete. */
  config: StatusListMember & Required<Pick<StatusListMember, 'type' | 'format' | 'statusSize'>>;
  listId: string;
  url: string;
}

/** A certificate of a store. */
export interface CertificateContent {
  data: {
    type: 'base' | 'vical-entry';
    pem: string;
    /** What else VICALs say of it. */
    complementaryMetadata?: { docType: string[] };
  };
}

/** A version of a VICAL; its bytes are stored beside it. */
export interface VicalVersionContent {
  vicalProvider: string;
  versionIdPath: string;
  issuanceDate: string;
  nextUpdate?: string;
  entryCount: number;
}

/** Whom a tenant believes: by a certificate, a DID or the URL of an issuer. */
export interface TrustedIssuerContent {
  type: 'certificate' | 'did' | 'url';
  /** PEM, the DID or the URL. */
  issuer: string;
  /** The types of credentials that it is believed for; any when absent. */
  credentialTypes?: string[];
  name?: string;
}

/** A check of a verifier; `setup` is without secrets. */
export interface CheckContent {
  name: string;
  description?: string;
  /** The text that pages show to the holder. */
  purpose?: { locale: string; text: string }[];
  /** What sessions are created with. */
  setup: JsonObject & { flow_type: string; core_flow: JsonObject };
}

const kind = <C extends object, S = never>(facts: ResourceKind<C, S>): ResourceKind<C, S> => facts;

/** Every kind of resource: what the tree itself consists of, and what services contain. */
export const RESOURCE_KINDS = {
  resources: kind<ResourceContent & JsonObject, JsonObject>({
    name: 'enterprise-resources',
    sealed: true,
    shown: shownResource,
  }),
  keys: kind<KeyContent, KeyReference>({ name: 'enterprise-keys', sealed: false }),
  dids: kind<DidContent>({ name: 'enterprise-dids', sealed: false }),
  credentials: kind<CredentialContent>({
    name: 'enterprise-credentials',
    sealed: true,
    shown: shownCredential,
  }),
  policies: kind<PolicyContent, StoredPolicy | HolderPolicy>({ name: 'enterprise-policies', sealed: false }),
  certificates: kind<CertificateContent>({ name: 'enterprise-certificates', sealed: false }),
  vicalVersions: kind<VicalVersionContent, { vical: string }>({ name: 'enterprise-vicals', sealed: false }),
  trustedIssuers: kind<TrustedIssuerContent>({ name: 'enterprise-trusted-issuers', sealed: false }),
  checks: kind<CheckContent, object>({ name: 'enterprise-checks', sealed: true }),
  statusCredentials: kind<StatusCredentialContent>({ name: 'enterprise-status-credentials', sealed: false }),
};
