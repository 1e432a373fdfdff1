import { createHash, type KeyObject, type X509Certificate } from 'node:crypto';
import { base64url, hex } from '../../domain/foundation/bytes.ts';
import { KEY_TYPES, opensslCurve } from '../../domain/jose/key-types.ts';
import type { CertificateKey, KeyUsage, ParsedCertificate, SignatureDigest } from '../../ports/certificates.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import { distinguishedName, generalNames, nameConstraints } from './certificate-names.ts';
import { type Algorithm, certificateParts, type Extension, inSequence, oidOf } from './certificate-parts.ts';
import { type DerElement, DerError, derElements, strictDer } from './strict-der.ts';

const PSS = '1.2.840.113549.1.1.10';

/** The digest of each signature algorithm that is known (RFC 4055, RFC 5758, RFC 8410). */
const DIGESTS: Record<string, SignatureDigest> = {
  '1.2.840.113549.1.1.4': 'md5',
  '1.2.840.113549.1.1.5': 'sha1',
  '1.3.14.3.2.29': 'sha1',
  '1.2.840.113549.1.1.14': 'sha224',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.1': 'sha1',
  '1.2.840.10045.4.3.1': 'sha224',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': 'none',
};

/** The digests that RSASSA-PSS-params can name. */
const PSS_DIGESTS: Record<string, SignatureDigest> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

const digestOf = ({ oid, parameters }: Algorithm): SignatureDigest =>
  oid === PSS ? pssDigestOf(parameters) : (DIGESTS[oid] ?? 'unknown');

/** The digest that RSASSA-PSS-params name in `[0]`; SHA-1 when they name none (RFC 4055 §3.1). */
function pssDigestOf(parameters: DerElement | undefined): SignatureDigest {
  if (!parameters) return 'unknown';
  const fields = inSequence(parameters).map(({ tag, content }) => ({ tag, values: derElements(content) }));
  const isOrdered = fields.every(({ tag }, at) => tag >= 0xa0 && tag <= 0xa3 && tag > (fields[at - 1]?.tag ?? 0));
  if (!isOrdered || fields.some(({ values }) => values.length !== 1))
    throw new DerError('the parameters of RSASSA-PSS are malformed');
  const digest = fields.find(({ tag }) => tag === 0xa0)?.values[0];
  return digest ? (PSS_DIGESTS[oidOf(inSequence(digest)[0])] ?? 'unknown') : 'sha1';
}

const UNUSABLE: CertificateKey = { kind: 'other', bits: 0 };
const MAX_RSA_BITS = 8192;

function keyFacts(key: KeyObject): CertificateKey {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  const jwk = () => key.export({ format: 'jwk' }) as PublicJwk;
  if (key.asymmetricKeyType === 'ed25519') {
    const { bits, crv: curve } = KEY_TYPES.Ed25519;
    return { kind: 'OKP', bits, curve, jwk: jwk() };
  }
  if (key.asymmetricKeyType === 'rsa') {
    const usable = modulusLength <= MAX_RSA_BITS && publicExponent > 2n && publicExponent % 2n === 1n;
    return usable ? { kind: 'RSA', bits: modulusLength, jwk: jwk() } : UNUSABLE;
  }
  if (key.asymmetricKeyType !== 'ec') return UNUSABLE;
  const known = opensslCurve(namedCurve);
  return known
    ? { kind: 'EC', bits: known.bits, curve: known.crv, jwk: jwk() }
    : { kind: 'EC', bits: Number(/\d{3}/.exec(namedCurve)?.[0] ?? 0) };
}

const EC_PUBLIC_KEY = '1.2.840.10045.2.1';
const OID_TAG = 6;

/** Whether the curve is given by parameters instead of a name; it can then be any curve (RFC 5480 §2.1.1). */
const spellsOutCurve = ({ oid, parameters }: Algorithm): boolean =>
  oid === EC_PUBLIC_KEY && parameters?.tag !== OID_TAG;

const KEY_USAGES: readonly KeyUsage[] = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
];

function keyUsage(value: Uint8Array): KeyUsage[] {
  const { tag, content } = strictDer(value);
  if (tag !== 3) throw new DerError('the key usage is not a bit string');
  return KEY_USAGES.filter((_, bit) => ((content[1 + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}

/** Both members are optional (RFC 5280 §4.2.1.9). */
function basicConstraints(value: Uint8Array): { ca: boolean; pathLength?: number } {
  const elements = inSequence(strictDer(value));
  const flag = elements[0]?.tag === 1 ? elements.shift() : undefined;
  const [limit, ...others] = elements;
  if (others.length > 0 || (limit && limit.tag !== 2)) throw new DerError('the basic constraints are malformed');
  const ca = flag?.content[0] === 0xff;
  if (!limit) return { ca };
  if ((limit.content[0] ?? 0) >= 0x80) throw new DerError('the path length is negative');
  return { ca, pathLength: limit.content.reduce((sum, octet) => sum * 256 + octet, 0) };
}

/** An octet string. */
function subjectKeyId(value: Uint8Array): string {
  const { tag, content } = strictDer(value);
  if (tag !== 4 || content.length === 0) throw new DerError('the subject key identifier is not an octet string');
  return base64url(content);
}

/** The first member, which is optional (RFC 5280 §4.2.1.1). */
function authorityKeyId(value: Uint8Array): string | undefined {
  const [first] = inSequence(strictDer(value));
  return first?.tag === 0x80 && first.content.length > 0 ? base64url(first.content) : undefined;
}

const extendedKeyUsage = (value: Uint8Array): string[] => inSequence(strictDer(value)).map(oidOf);

/** Reads the relevant extensions; of an extension that appears twice, the first. */
function extensionFacts(extensions: Extension[]) {
  const read = <T>(wanted: string, parse: (value: Uint8Array) => T): T | undefined => {
    const found = extensions.find(({ oid }) => oid === wanted);
    return found && parse(found.value);
  };
  return {
    extensions: extensions.map(({ oid, critical }) => ({ oid, critical })),
    basicConstraints: read('2.5.29.19', basicConstraints),
    keyUsage: read('2.5.29.15', keyUsage),
    extendedKeyUsage: read('2.5.29.37', extendedKeyUsage),
    nameConstraints: read('2.5.29.30', nameConstraints),
    subjectAltNames: read('2.5.29.17', generalNames) ?? [],
    subjectKeyId: read('2.5.29.14', subjectKeyId),
    authorityKeyId: read('2.5.29.35', authorityKeyId),
  };
}

const VERSIONS = [1, 2, 3] as const;

/**
 * The model of a certificate that both readers accept. The key is read from `x509`, everything else from the elements.
 * @throws Error of any kind when it is malformed
 */
export function certificateModel(certificate: DerElement, x509: X509Certificate): ParsedCertificate {
  const { whole: der } = certificate;
  const parts = certificateParts(certificate);
  const version = VERSIONS[parts.version];
  if (version === undefined) throw new DerError('the version is not known');
  return {
    der,
    fingerprint: createHash('sha256').update(der).digest('base64url'),
    version,
    serialNumber: hex(parts.serialNumber),
    subject: distinguishedName(parts.subject),
    issuer: distinguishedName(parts.issuer),
    notBefore: parts.notBefore,
    notAfter: parts.notAfter,
    publicKey: spellsOutCurve(parts.keyAlgorithm) ? UNUSABLE : keyFacts(x509.publicKey),
    signature: { oid: parts.signature.oid, digest: digestOf(parts.signature) },
    ...extensionFacts(parts.extensions),
  };
}
