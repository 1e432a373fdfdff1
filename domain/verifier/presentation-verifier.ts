import type { KeyReference } from '../../ports/key-service.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { TransactionDataProfile } from '../presentation/transaction-data.ts';
import type { VerifierTrust } from '../trust/verifier-trust.ts';

/** The key of a verifier and its certificates, in PEM or base64, leaf first. */
export interface VerifierSigner {
  reference: KeyReference;
  x5c: readonly string[];
  /** Whether the key can be removed while sessions wait. */
  isRemovable?: boolean;
}

/** What is stored of presentations, and how long (verifier-service.conf). */
export interface Retention {
  /** How long outcomes are stored, in milliseconds. */
  ms: number;
  /** Whether what was presented is deleted when the verifier has received it; handles of the credentials are kept. */
  presented: 'keep' | 'deleteOnHandover';
}

/** A verifier as an entity of a federation (OpenID Federation 1.0). */
export interface VerifierEntity {
  /** Its entity identifier, below which its configuration is published. */
  id(): Promise<string>;
  /** The key that signs its configuration. @throws as `PresentationVerifier.signer` */
  key(): Promise<KeyReference>;
  /** The entity identifiers of its superiors. */
  authorityHints: readonly string[];
  /** What the header of its requests has as `trust_chain`. */
  trustChain?: readonly string[];
}

/** A verifier of OpenID4VP 1.0: a value that is passed to the services with each call. */
export interface PresentationVerifier {
  /** Unique in a store. Sessions belong to one id and are unknown to all others. */
  id: string;
  /** What its sessions are listed by, without a slash; '' for the verifier of the open endpoints. */
  target: string;
  /** The URL above the endpoints for wallets, without a trailing slash. */
  baseUrl(): Promise<string>;
  /** The start of links for wallets where a session names none. */
  walletUrl: string;
  /** Who signs the requests of sessions that bring no key. @throws DomainError `BadRequest` naming `key` when it has no key */
  signer(): Promise<VerifierSigner>;
  /** The name of the verifier in signed requests of sessions that bring none. */
  clientId?: string;
  /** Absent when it is in no federation. */
  entity?: VerifierEntity;
  /** What wallets show of the verifier, where a session says nothing else. */
  clientMetadata?: JsonObject;
  /** What others state about the verifier, such as its registration certificate. */
  verifierInfo?: JsonObject[];
  transactionDataProfiles: readonly TransactionDataProfile[];
  /**
   * The policies for every credential of a session that lists these, or none; policies of the verifier's own are replaced
   * by what they stand for. @throws DomainError `BadRequest` naming the element
   */
  listedPolicies(listed: readonly unknown[] | undefined): Promise<readonly unknown[]>;
  /** Whom it believes, besides those whom the server believes. */
  trust(): Promise<VerifierTrust>;
  retention: Retention;
}
