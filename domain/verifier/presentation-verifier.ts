import type { JsonObject } from '../foundation/json.ts';

/** A kind of transaction data that the operator describes, for the pages of verifiers. */
export interface TransactionDataProfile {
  type: string;
  displayName: string;
  /** The names of its members. */
  fields: string[];
}

/** What is stored of presentations, and how long (verifier-service.conf). */
export interface Retention {
  /** How long outcomes are stored, in milliseconds. */
  ms: number;
  /** Whether what was presented is deleted when the verifier has received it; handles of the credentials are kept. */
  presented: 'keep' | 'deleteOnHandover';
}

/** A verifier of OpenID4VP 1.0: a value that is passed to the services with each call. */
export interface PresentationVerifier {
  /** Unique in a store. Sessions belong to one id and are unknown to all others. */
  id: string;
  /** The target whose lists show its sessions; '' for the verifier of the open endpoints. */
  target: string;
  /** The URL above the endpoints for wallets, without a trailing slash. */
  baseUrl: string;
  /** The start of links for wallets where a session names none. */
  walletUrl: string;
  /** Who signs the requests of sessions that bring no key: a key reference, which is a secret, and its certificates. */
  signer?: { key: JsonObject; x5c: readonly string[] };
  /** The name of the verifier in signed requests of sessions that bring none. */
  clientId?: string;
  /** What wallets show of the verifier, where a session says nothing else. */
  clientMetadata?: JsonObject;
  /** What others state about the verifier, such as its registration certificate. */
  verifierInfo?: JsonObject[];
  transactionDataProfiles: readonly TransactionDataProfile[];
  retention: Retention;
}
