import type { KeyReference } from '../../ports/key-service.ts';

/** The kinds of status lists: of the W3C, and the Token Status List of the IETF as a JWT or a CWT. */
export type StatusListKind =
  | 'BitstringStatusList'
  | 'StatusList2021'
  | 'RevocationList2020'
  | 'TokenStatusListJwt'
  | 'TokenStatusListCwt';

/** The list that a credential is to have an entry of. */
export interface StatusListChoice {
  kind: StatusListKind;
  /** What a set bit means (Bitstring Status List §2.1); token status lists have no purpose. */
  purpose?: string;
  /** Bits of one status. */
  bits: number;
}

/** Who signs a list: the issuer of the credentials with entries of it, with the same key. */
export interface ListSigner {
  /** The DID or the URL of the issuer. */
  issuer: string;
  /** The key id in the header of the list. */
  kid: string;
  key: KeyReference;
  /** The certificate chain, base64 DER, leaf first. */
  x5c?: string[];
}

/** Whose lists they are, and where they are published. */
export interface ListOwner {
  /** The target that the lists belong to; '' for the issuer of the open endpoints. */
  target: string;
  /** The URL below which new lists are published, without a trailing slash; that of this server when absent. */
  baseUrl?: string;
}

/** The lists to have entries of: those of one target, kind, purpose, size and signer. */
export interface StatusListRequest extends ListOwner {
  choice: StatusListChoice;
  signer: ListSigner;
}

/** What an entry of a list that is published here says. */
export type EntryState = 'valid' | 'revoked' | 'suspended';

/** What an entry can be found by. */
export interface EntryNames {
  /** The issuance session of its credential. */
  session?: string;
  /** The issuer of the session, where a later one can have sessions of the same name. */
  issuer?: string;
  /** The id that its credential gives itself. */
  credentialId?: string;
  /** The record of what the issuer issued, which follows the state of the entry. */
  record?: string;
}

/** The entries to allocate. */
export interface StatusEntryRequest extends StatusListRequest {
  names?: EntryNames;
}

/** Allocates entries of status lists, which are opened on demand. */
export interface StatusEntries {
  /**
   * Returns `count` entries that no other credential has: the value of `credentialStatus`, `status` or the status of a
   * mobile security object. Each of them can be found by the names. @throws DomainError `StoreUnavailable`, `Overloaded` when no further list may be opened
   */
  allocate(request: StatusEntryRequest, count: number): Promise<Record<string, unknown>[]>;
  /**
   * Returns the id of the list that the next entry will be of; it is opened when there is none.
   * @throws DomainError as `allocate`
   */
  open(request: StatusListRequest): Promise<{ list: string; isNew: boolean }>;
}
