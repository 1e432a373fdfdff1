import type { PublicJwk } from './key-service.ts';

/** A distinguished name (RFC 5280 §7.1); two names are equal when their `rdns` are. */
export interface DistinguishedName {
  /** One normalized text per relative distinguished name, most significant first; empty for the empty name. */
  readonly rdns: readonly string[];
  /** The values of its emailAddress attributes, as written. */
  readonly emails: readonly string[];
}

/** A name of a subject alternative name or of a name constraint (RFC 5280 §4.2.1.6, §4.2.1.10). */
export type GeneralName =
  | { readonly type: 'dns' | 'email' | 'uri'; readonly value: string }
  /** Network byte order; in a constraint the address is followed by its mask. */
  | { readonly type: 'ip'; readonly bytes: Uint8Array }
  | { readonly type: 'dirName'; readonly name: DistinguishedName }
  /** Forms that are recognized but not understood. */
  | { readonly type: 'otherName' | 'x400Address' | 'ediPartyName' | 'registeredID' };

/** The subtrees of a name constraints extension. */
export interface NameConstraints {
  readonly permitted: readonly GeneralName[];
  readonly excluded: readonly GeneralName[];
}

/** The purposes of a key (RFC 5280 §4.2.1.3). */
export type KeyUsage =
  | 'digitalSignature'
  | 'nonRepudiation'
  | 'keyEncipherment'
  | 'dataEncipherment'
  | 'keyAgreement'
  | 'keyCertSign'
  | 'cRLSign'
  | 'encipherOnly'
  | 'decipherOnly';

/** The subject's public key. `other` is a key that cannot be used here. */
export interface CertificateKey {
  readonly kind: 'RSA' | 'EC' | 'OKP' | 'other';
  /** Bits of the modulus or of the curve; 0 when unknown. */
  readonly bits: number;
  /** The JOSE name of the curve, for EC and OKP. */
  readonly curve?: string;
  /** Present unless the kind is `other` or JOSE has no name for the curve. */
  readonly jwk?: PublicJwk;
}

/** The digest inside a signature algorithm; `none` when the algorithm needs none (RFC 8410). */
export type SignatureDigest = 'md5' | 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512' | 'none' | 'unknown';

/** The content of a certificate, not validated. */
export interface ParsedCertificate {
  readonly der: Uint8Array;
  /** SHA-256 of `der` as base64url: equal exactly when the certificates are. */
  readonly fingerprint: string;
  readonly version: 1 | 2 | 3;
  /** Hexadecimal, as it is encoded. */
  readonly serialNumber: string;
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  /** Milliseconds since the epoch; the first moment of validity. */
  readonly notBefore: number;
  /** Milliseconds since the epoch; the last moment of validity. */
  readonly notAfter: number;
  readonly publicKey: CertificateKey;
  readonly signature: { readonly oid: string; readonly digest: SignatureDigest };
  /** Every extension in its order, known or not, also those that appear twice. */
  readonly extensions: readonly { readonly oid: string; readonly critical: boolean }[];
  readonly basicConstraints?: { readonly ca: boolean; readonly pathLength?: number };
  readonly keyUsage?: readonly KeyUsage[];
  /** Object identifiers; for callers that require a purpose; path validation ignores them. */
  readonly extendedKeyUsage?: readonly string[];
  readonly nameConstraints?: NameConstraints;
  readonly subjectAltNames: readonly GeneralName[];
  /** The key identifier of the subject, in base64url (RFC 5280 §4.2.1.2). */
  readonly subjectKeyId?: string;
  /** The key identifier of the issuer, in base64url (RFC 5280 §4.2.1.1); absent when it is named in another way. */
  readonly authorityKeyId?: string;
}

/** Parses X.509 certificates and verifies their signatures. */
export interface Certificates {
  /** @throws DomainError `BadRequest` when the bytes are not exactly one well-formed DER certificate of at most 16 KiB. */
  parse(der: Uint8Array): ParsedCertificate;
  /** Whether the key of `issuer` made the signature of `certificate`; names and trust are not checked. */
  signedBy(certificate: ParsedCertificate, issuer: ParsedCertificate): boolean;
}
