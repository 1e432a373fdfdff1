import type { GeneralName, KeyUsage, ParsedCertificate } from './certificates.ts';
import type { PublicJwk, Signer } from './key-service.ts';

/** One attribute of a distinguished name (RFC 4519 §2), most significant first in a list. */
export interface NamePart {
  readonly attribute: 'C' | 'ST' | 'L' | 'O' | 'CN';
  readonly value: string;
}

/** A name of a subject or issuer alternative name (RFC 5280 §4.2.1.6). */
export type AlternativeName = Extract<GeneralName, { type: 'dns' | 'email' | 'uri' }>;

/** What a certificate, or a request for one, says about its subject. */
export interface SubjectContent {
  subject: readonly NamePart[];
  /** The extension is critical. */
  keyUsage: readonly KeyUsage[];
  /** Object identifiers; the extension is critical. */
  extendedKeyUsage: readonly string[];
  altNames: readonly AlternativeName[];
  /** Where the list of revoked certificates is. */
  crlUrl?: string;
}

/** A certificate authority as the certificates below it name it. */
export interface AuthorityNames {
  /** In the certificate's own encoding when `certificate` is present. */
  name: readonly NamePart[];
  altNames: readonly AlternativeName[];
  publicJwk: PublicJwk;
  certificate?: ParsedCertificate;
}

/** The content of a certificate; times in milliseconds since the epoch, whole seconds. */
export interface CertificateContent extends SubjectContent {
  publicJwk: PublicJwk;
  /** Positive, at most 20 octets (RFC 5280 §4.1.2.2). */
  serialNumber: Uint8Array;
  notBefore: number;
  notAfter: number;
  /** How many authorities may come below this one; absent for an end entity. */
  pathLength?: number;
  issuer: AuthorityNames;
}

/** Why a certificate is revoked (RFC 5280 §5.3.1). */
export type RevocationReason =
  | 'unspecified'
  | 'keyCompromise'
  | 'affiliationChanged'
  | 'superseded'
  | 'cessationOfOperation'
  | 'privilegeWithdrawn';

/** A certificate of a list of revoked ones. */
export interface RevokedCertificate {
  /** Hexadecimal. */
  serialNumber: string;
  /** Milliseconds since the epoch, whole seconds. */
  revokedAt: number;
  reason: RevocationReason;
}

/** The content of a list of revoked certificates (RFC 5280 §5); times in milliseconds since the epoch, whole seconds. */
export interface RevocationListContent {
  issuer: AuthorityNames;
  number: number;
  thisUpdate: number;
  nextUpdate: number;
  revoked: readonly RevokedCertificate[];
}

/** Makes certificates, requests for them and lists of revoked ones; every signature is made by the given signer, whose key is EC. */
export interface CertificateMaker {
  /** Returns a certificate (RFC 5280) as DER. @throws DomainError as `Signer.sign` */
  certificate(content: CertificateContent, signer: Signer): Promise<Uint8Array>;
  /** Returns a PKCS #10 request (RFC 2986) of the signer's key as DER. @throws DomainError as `Signer.sign` */
  request(content: SubjectContent, signer: Signer): Promise<Uint8Array>;
  /** Returns a list of revoked certificates (RFC 5280 §5) as DER. @throws DomainError as `Signer.sign` */
  revocationList(content: RevocationListContent, signer: Signer): Promise<Uint8Array>;
  /** The names of an authority with a certificate; attributes of other kinds are left out. */
  authority(certificate: ParsedCertificate, publicJwk: PublicJwk): Promise<AuthorityNames>;
}
