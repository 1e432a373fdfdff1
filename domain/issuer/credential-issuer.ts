import type { KeyReference, PublicJwk, Signer } from '../../ports/key-service.ts';
import type { ListOwner } from '../credentials/status-entries.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { TrustedAttesters } from '../oauth/attesters.ts';
import type { AuthorizationPolicy } from '../oauth/authorization-policy.ts';
import type { CredentialConfigurations } from './credential-configuration.ts';
import type { PublishedImage } from './credential-type.ts';
import type { IssuanceProfiles } from './issuance-profile.ts';
import { VERSIONS, type Version } from './versions.ts';

/** Who signs, as the profiles of an issuer with keys of its own name it. */
export interface OwnSigner {
  /** The name of a key. */
  issuerKey?: string;
  /** A DID, or the name of one. */
  issuerDid?: string;
}

/** A signer whose names were replaced by what they stand for. */
export interface OwnIdentity extends OwnSigner {
  /** Whether the DID was created for the key, so that it need not be resolved. */
  isOfKey?: boolean;
}

/** A DID and the key that signs credentials under it. */
export interface IssuerIdentity {
  did: string;
  jwk: PublicJwk;
}

/** The keys of an issuer that has its own. */
export interface OwnKeys {
  /** Signs what the issuer says of itself. @throws DomainError `Conflict` without the key */
  signer(): Promise<Signer>;
  /** The key with this name, or the one for profiles without a key, as it is now; a secret. @throws DomainError `Conflict` without the key */
  reference(name: string | undefined): Promise<KeyReference>;
  /**
   * The signer with its DID in place of a name, and with a DID of the issuer's own, if it has any, where none is named and
   * `needsDid`; a signer without a key gets that of the DID. @throws DomainError `Conflict` when there is no such DID, or
   * none that is surely meant
   */
  identified(signer: OwnSigner, needsDid: boolean): Promise<OwnIdentity>;
}

/** A credential that was made. */
export interface MadeCredential {
  sessionId: string;
  configurationId: string;
  format: string;
  /** Its place among those of its item, counted from 0. */
  index: number;
  credential: string;
  /** The key of its holder. */
  key: PublicJwk;
}

/** An issuer of credentials: a value that every service of this room is given with each call. */
export interface CredentialIssuer {
  /** Unique in a store. Sessions, codes and access tokens belong to one id and are unknown to all others. */
  id: string;
  /** What its sessions, published keys and status lists are stored under; '' for the issuer of the open endpoints. */
  target: string;
  /** The path of its service, which the ids of its sessions are shown below; absent for the open endpoints. */
  service?: string;
  /** The protocol that its endpoints speak. */
  version: Version;
  /** What it demands of clients; `OPEN_POLICY` when absent. */
  policy?: AuthorizationPolicy;
  /** Whose attestations of clients it believes; absent when it reads none. */
  attesters?: TrustedAttesters;
  /** Whose attestations of keys it believes; absent when it reads none. */
  keyAttesters?: TrustedAttesters;
  /** The most keys of one credential request of OpenID4VCI 1.0. */
  batchSize?: number;
  /** Whose status lists its credentials have entries of; its own when absent. */
  statusLists?: ListOwner;
  /**
   * The certificates of the key that signs its metadata, by which wallets see who it is: in standard base64, that of the key
   * first, without the trust anchor (HAIP 1.0 §4.1).
   */
  metadataX5c?: readonly string[];
  /** Signs its metadata, in place of its own key or that of the server. @throws DomainError */
  metadataSigner?(): Promise<Signer>;
  /** What others state about the issuer, such as its registration certificate; published with OpenID4VCI 1.0. */
  info?: { format: string; data: string }[];
  /** The credential issuer identifier (OpenID4VCI draft 13 §11.2.1): a URL without a trailing slash. */
  identifier: string;
  configurations: CredentialConfigurations;
  /** How wallets show the issuer (OpenID4VCI draft 13 §11.2.3). */
  display: JsonObject[];
  /** DIDs and keys that the operator configured; their keys are published. */
  identities: IssuerIdentity[];
  /** The images with which its metadata show credentials, where it publishes them itself. */
  images?: readonly PublishedImage[];
  /** What is offered by name; absent for the issuers of the drafts. */
  profiles?: IssuanceProfiles;
  /** Sees each credential before a wallet can have it. @throws DomainError: then the credential is not delivered */
  witness?(made: MadeCredential): Promise<void>;
  /** How long it keeps records of what it issued, in milliseconds; it keeps none when absent. */
  keepsIssuedMs?: number;
  /** Absent for the issuers of the open endpoints, which have the keys of the server. */
  keys?: OwnKeys;
}

/** Whose status lists the credentials of an issuer have entries of. */
export const listOwner = ({ target, statusLists = { target } }: CredentialIssuer): ListOwner => statusLists;

/** The issuer of the open endpoints of a version below `publicUrl`. */
export const openIssuer = (
  version: Version,
  publicUrl: string,
): Pick<CredentialIssuer, 'id' | 'target' | 'version' | 'identifier'> => {
  const { openId: id, identifierPath } = VERSIONS[version];
  return { id, target: '', version, identifier: `${publicUrl}${identifierPath}` };
};

/** The issuers of the open endpoints. */
const OPEN_IDS: readonly string[] = Object.values(VERSIONS).map(({ openId }) => openId);

/**
 * The name of the log of a session that is not in its record: those of callbacks, and histories of 0.9.0. Callers choose
 * ids of sessions, so two issuers can have the same one.
 */
export const ownLogOf = (issuerId: string, sessionId: string): string =>
  OPEN_IDS.includes(issuerId) ? sessionId : `${issuerId} ${sessionId}`;
