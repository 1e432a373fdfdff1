import type { ParsedCertificate } from '../certificates.ts';
import type { PublicJwk, Signer } from '../key-service.ts';

/** One certificate of a list and what it is listed for. */
export interface ListedCertificate {
  /** DER, not parsed. */
  certificate: Uint8Array;
  /** The document types of a VICAL entry. */
  docTypes?: readonly string[];
  /** The position of its entity in the list; absent in a list without entities. */
  entity?: number;
  /** The URI of the kind of service; absent when the list does not say. */
  serviceType?: string;
  /** The URI of the status of the service; absent when being listed is the status. */
  status?: string;
  /** When the status began, in milliseconds since the epoch. */
  statusSince?: number;
}

/** What a list of trusted authorities says. Times are in milliseconds since the epoch. */
export interface TrustListContent {
  /** The URI of the kind of list, or the name of the provider of a VICAL. */
  type?: string;
  issuedAt: number;
  /** When the next list is due at the latest; absent when the list does not say. */
  nextUpdate?: number;
  entries: readonly ListedCertificate[];
}

/** A list of trusted authorities with its signature. */
export interface SignedTrustList {
  /** The certificates that are attached to the signature, DER, leaf first; nothing of them is verified. */
  readonly chain: readonly Uint8Array[];
  /** What a key signed; undefined when it did not sign the list. @throws DomainError `BadRequest` when that is malformed */
  verify(jwk: PublicJwk): Promise<TrustListContent | undefined>;
  /** What the list says, signed or not. @throws DomainError `BadRequest` when it is malformed */
  content(): TrustListContent;
}

/** A VICAL to sign (ISO 18013-5 C.1.7). Times are in milliseconds since the epoch, whole seconds. */
export interface VicalContent {
  provider: string;
  /** Unique among the issues of the provider, and growing. */
  issueId: number;
  issuedAt: number;
  nextUpdate?: number;
  /** Each has a subject key identifier. */
  entries: readonly { certificate: ParsedCertificate; docTypes: readonly string[] }[];
  /** The certificates of the signer, DER, leaf first. */
  chain: readonly Uint8Array[];
}

/** Writes VICALs. */
export interface VicalWriter {
  /** Returns a COSE_Sign1; the key is EC. @throws DomainError as `Signer.sign` */
  write(content: VicalContent, signer: Signer): Promise<Uint8Array>;
}

/** Parses lists of trusted authorities. */
export interface TrustListReader {
  /** @throws DomainError `BadRequest` when the bytes are no such list, or one that is too large or too deep */
  parse(bytes: Uint8Array): Promise<SignedTrustList>;
}
