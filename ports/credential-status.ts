import type { Credential } from './credential-formats.ts';

/** One status of a credential. */
export interface CredentialStatus {
  /** In lower case: `revocation`, `suspension`, … */
  purpose: string;
  isSet: boolean;
  /** What the credential says about this value. */
  message?: string;
}

/** Looks up what status lists say of a credential. */
export interface CredentialStatuses {
  /**
   * One for each status entry; none for a credential without status entries. A status that cannot be determined is an
   * error. The signature of the credential itself is not verified.
   * @throws DomainError `MalformedValue`, `StatusVerification`, `StatusRange`, `StatusListLength`, `AddressRefused`,
   * `StatusRetrieval`, `StatusRetrievalTimeout`
   */
  lookUp(credential: Pick<Credential, 'issuer' | 'status'>): Promise<CredentialStatus[]>;
}
