import type { Retention } from './presentation-verifier.ts';

/** How a verifier names itself to wallets: by the response URI of each session, or by an id that they know. */
export type ClientIdentity = { scheme: 'redirect_uri' } | { scheme: 'pre-registered'; id: string };

/** A verifier: a value that is passed to the services with each call. */
export interface VerifierProfile {
  /** Unique in a store. Sessions belong to one id and are unknown to all others. */
  id: string;
  /** The target whose lists show its sessions; '' for the verifier of the open endpoints. */
  target: string;
  /** The protocol that its endpoints speak. */
  version: 'draft20';
  /** The URL above the endpoints for wallets, without a trailing slash. */
  baseUrl: string;
  client: ClientIdentity;
  /** The URL by which wallets know it that read its metadata and keys below it. */
  identifier: string;
  /** The DNS name in the certificate of its request signing key. */
  sanDns: string;
  /** Whether presenters must be the holders of what they present, listed or not. */
  needsHolder: boolean;
  retention: Retention;
}
