import type { ParsedCertificate } from '../../ports/certificates.ts';
import type { Credential } from '../../ports/credential-formats.ts';

/** What a list says of one status entry of a credential. */
export interface EntryStatus {
  /** The type of the entry: `BitstringStatusListEntry`, `StatusList2021Entry`, …, or `TokenStatusList`. */
  type: string;
  /** In lower case: `revocation`, `suspension`, …; absent for lists whose values state their meaning. */
  purpose?: string;
  /** The value at the place of the entry; 0 means valid. */
  value: number;
  /** Bits of the value. */
  size: number;
  /** What the credential says about this value. */
  message?: string;
}

/** One condition of a credential, of the entry that says so. */
export interface CredentialStatus extends EntryStatus {
  /** `revocation`, `suspension`, … */
  purpose: string;
  isSet: boolean;
}

/** A credential whose status is looked up. */
export interface ListedStatus extends Pick<Credential, 'issuer' | 'status'> {
  /** The authorities that the caller believes; those of the configuration when absent. */
  readonly anchors?: () => Promise<readonly ParsedCertificate[]>;
}

/** Looks up what status lists say of a credential. The signature of the credential itself is not verified. */
export interface CredentialStatuses {
  /**
   * One for each status entry, in their order; none for a credential without status entries. A value that cannot be
   * determined is an error. Values that only an application understands are returned too.
   * @throws DomainError `MalformedValue`, `StatusVerification`, `StatusRange`, `StatusListLength`, `AddressRefused`,
   * `StatusRetrieval`, `StatusRetrievalTimeout`
   */
  entries(credential: ListedStatus): Promise<EntryStatus[]>;
  /**
   * The conditions that the entries state: one for each entry with a purpose, revocation and suspension for a value of a
   * Token Status List. @throws DomainError as `entries`, and `StatusVerification` for a value without a meaning here
   */
  lookUp(credential: ListedStatus): Promise<CredentialStatus[]>;
}
