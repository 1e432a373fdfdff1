import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import { invalidField } from '../foundation/errors.ts';
import { isText } from '../foundation/json.ts';
import { derOfPem } from '../x509/pem.ts';
import { anchorOf } from '../x509/trust-anchors.ts';

/** A certificate that a verifier believes. A certificate that is no authority counts for itself only. */
export interface TrustAnchor {
  readonly certificate: ParsedCertificate;
  /** The document types of mdocs that may be issued below it (ISO 18013-5 C.1.7.1); absent when it is not limited. */
  readonly docTypes?: readonly string[];
}

/** What one verification believes. */
export interface TrustAnchors {
  readonly anchors: readonly TrustAnchor[];
  /** Why lists that anchors should come from could not be read, as sentences. */
  readonly missing: readonly string[];
}

const MAX_ROOTS = 32;
const MAX_ROOT_CHARACTERS = 16 * 1024;

/** What certificates of a request are read with; `now` in milliseconds since the epoch. */
interface RootSource {
  certificates: Pick<Certificates, 'parse'>;
  now: number;
}

/**
 * Reads `trusted_root_cas`: certificates of authorities in PEM, at most 32 of at most 16,384 characters.
 * @throws DomainError `BadRequest` naming the first entry that cannot be trusted now
 */
export function readRootCertificates(value: unknown, { certificates, now }: RootSource): string[] {
  if (!Array.isArray(value) || value.length > MAX_ROOTS)
    throw invalidField([], `must be a list of at most ${MAX_ROOTS} certificates in PEM form`);
  const parse = (der: Uint8Array): ParsedCertificate => certificates.parse(der);
  return value.map((pem: unknown, index) => {
    if (!isText(pem) || pem.length > MAX_ROOT_CHARACTERS)
      throw invalidField([index], `must be a certificate in PEM form of at most ${MAX_ROOT_CHARACTERS} characters`);
    const certificate = anchorOf(pem, { now, parse });
    if (typeof certificate === 'string') throw invalidField([index], certificate);
    return pem;
  });
}

/** The anchors of certificates in PEM that were read before; whether they are still valid is decided with each path. */
export const rootAnchors = (pems: readonly string[], certificates: Pick<Certificates, 'parse'>): TrustAnchor[] =>
  pems.flatMap((pem) => {
    const der = derOfPem(pem);
    return der ? { certificate: certificates.parse(der) } : [];
  });

/** The values of `aki` by which wallets find credentials that are issued directly below these anchors (OpenID4VP 1.0 §6.1.1.1). */
export const akiValues = ({ anchors }: Pick<TrustAnchors, 'anchors'>): string[] => [
  ...new Set(anchors.flatMap(({ certificate: { subjectKeyId } }) => subjectKeyId ?? [])),
];
