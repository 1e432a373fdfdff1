import type { PublicJwk } from './key-service.ts';

/**
 * The list of a DID document that a key must be in (DID Core §5.2, §5.3): `assertionMethod` for credentials and status
 * lists, `authentication` for presentations and proofs of possession, any key of the DID for request objects
 * (OpenID4VP §5.9.3).
 */
export type KeyPurpose = 'assertionMethod' | 'authentication' | 'verificationMethod';

/** Finds the key behind a DID or a DID URL. */
export interface DidKeys {
  /**
   * Returns the one key that a DID URL with a fragment names, or that a DID has, for a purpose. A DID with several keys
   * for the purpose needs the fragment.
   * @throws DomainError `BadRequest` when there is no such key, `UpstreamFailed` or `UpstreamTimeout` when the document
   * cannot be fetched
   */
  key(didUrl: string, purpose: KeyPurpose): Promise<PublicJwk>;
}
