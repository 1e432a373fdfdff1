import type { CertificateKey, ParsedCertificate, SignatureDigest } from '../../ports/certificates.ts';

/** Extensions that may be critical: they are processed, or no path can violate them here. */
const UNDERSTOOD = new Set([
  '2.5.29.15', // keyUsage
  '2.5.29.17', // subjectAltName
  '2.5.29.19', // basicConstraints
  '2.5.29.30', // nameConstraints
  '2.5.29.37', // extKeyUsage: the caller of path validation checks the purpose, see `loginCertificateViolation`
  // Every policy is acceptable and none is required, so these cannot make a path invalid (RFC 5280 §6.1.1).
  '2.5.29.32',
  '2.5.29.33',
  '2.5.29.54',
]);

const MIN_BITS: Record<CertificateKey['kind'], number> = { RSA: 2048, EC: 256, OKP: 256, other: 0 };

const DIGEST_VIOLATIONS: Partial<Record<SignatureDigest, string>> = {
  md5: 'is signed with a weak digest',
  sha1: 'is signed with a weak digest',
  unknown: 'is signed with an algorithm that is not supported',
};

/** Returns why a certificate alone is invalid at `now` (ms), as the end of a sentence, or undefined. */
export const certificateViolation = (certificate: ParsedCertificate, now: number): string | undefined =>
  validityViolation(certificate, now) ??
  extensionViolation(certificate) ??
  keyViolation(certificate.publicKey) ??
  DIGEST_VIOLATIONS[certificate.signature.digest];

function validityViolation({ notBefore, notAfter }: ParsedCertificate, now: number): string | undefined {
  if (now < notBefore) return 'is not valid yet';
  return now > notAfter ? 'has expired' : undefined;
}

function extensionViolation({ version, extensions }: ParsedCertificate): string | undefined {
  if (extensions.length > 0 && version !== 3) return 'has extensions but is not of version 3';
  if (new Set(extensions.map(({ oid }) => oid)).size < extensions.length) return 'has an extension twice';
  return extensions.some(({ oid, critical }) => critical && !UNDERSTOOD.has(oid))
    ? 'has a critical extension that is not supported'
    : undefined;
}

function keyViolation({ kind, bits, jwk }: CertificateKey): string | undefined {
  if (bits < MIN_BITS[kind]) return 'has a weak key';
  return jwk === undefined ? 'has a key that is not supported' : undefined;
}

const EXTENDED_KEY_USAGE = '2.5.29.37';
/** clientAuth, serverAuth and anyExtendedKeyUsage (RFC 5280 §4.2.1.12). */
const LOGIN_PURPOSES: readonly string[] = ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1', '2.5.29.37.0'];

/**
 * Returns why the key of a certificate may not sign a login, as the end of a sentence, or undefined: a key usage that is present
 * allows signatures (RFC 5280 §4.2.1.3), and a critical extended key usage allows clients, servers or anything.
 */
export function loginCertificateViolation({
  keyUsage,
  extendedKeyUsage = [],
  extensions,
}: ParsedCertificate): string | undefined {
  // contentCommitment is the newer name of nonRepudiation.
  if (keyUsage && !keyUsage.includes('digitalSignature') && !keyUsage.includes('nonRepudiation'))
    return 'may not sign by its key usage';
  const isLimited = extensions.some(({ oid, critical }) => critical && oid === EXTENDED_KEY_USAGE);
  return isLimited && !extendedKeyUsage.some((purpose) => LOGIN_PURPOSES.includes(purpose))
    ? 'is not for logins by its extended key usage'
    : undefined;
}

/** Returns why a certificate may not issue others (RFC 5280 §6.1.4 (k), (n)), as the end of a sentence, or undefined. */
export function authorityViolation(certificate: ParsedCertificate): string | undefined {
  const { version, basicConstraints, keyUsage, subject } = certificate;
  if (version !== 3 || basicConstraints?.ca !== true) return 'is not a certificate authority';
  if (subject.rdns.length === 0) return 'is a certificate authority without a name';
  return keyUsage === undefined || keyUsage.includes('keyCertSign')
    ? undefined
    : 'may not sign certificates by its key usage';
}
