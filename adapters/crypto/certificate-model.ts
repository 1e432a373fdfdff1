import { createHash, type KeyObject, type X509Certificate } from 'node:crypto';
import { RsaSaPssParams } from '@peculiar/asn1-rsa';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  type AlgorithmIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  type Extension,
} from '@peculiar/asn1-x509';
import type { CertificateKey, KeyUsage, ParsedCertificate, SignatureDigest } from '../../ports/certificates.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import { distinguishedName, generalNames, nameConstraints } from './certificate-names.ts';
import { DerError, derElements, strictDer } from './strict-der.ts';

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

/** The digests of RSASSA-PSS, which names it in its parameters. */
const PSS_DIGESTS: Record<string, SignatureDigest> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

function digestOf({ algorithm, parameters }: AlgorithmIdentifier): SignatureDigest {
  if (algorithm !== PSS) return DIGESTS[algorithm] ?? 'unknown';
  if (!parameters) return 'unknown';
  return PSS_DIGESTS[AsnConvert.parse(parameters, RsaSaPssParams).hashAlgorithm.algorithm] ?? 'unknown';
}

const CURVES: Record<string, { curve: string; bits: number }> = {
  prime256v1: { curve: 'P-256', bits: 256 },
  secp384r1: { curve: 'P-384', bits: 384 },
  secp521r1: { curve: 'P-521', bits: 521 },
  secp256k1: { curve: 'secp256k1', bits: 256 },
};

const UNUSABLE: CertificateKey = { kind: 'other', bits: 0 };
const MAX_RSA_BITS = 8192;

function keyFacts(key: KeyObject): CertificateKey {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  const jwk = () => key.export({ format: 'jwk' }) as PublicJwk;
  if (key.asymmetricKeyType === 'ed25519') return { kind: 'OKP', bits: 256, curve: 'Ed25519', jwk: jwk() };
  if (key.asymmetricKeyType === 'rsa') {
    const usable = modulusLength <= MAX_RSA_BITS && publicExponent > 2n && publicExponent % 2n === 1n;
    return usable ? { kind: 'RSA', bits: modulusLength, jwk: jwk() } : UNUSABLE;
  }
  if (key.asymmetricKeyType !== 'ec') return UNUSABLE;
  const known = CURVES[namedCurve];
  return known
    ? { kind: 'EC', ...known, jwk: jwk() }
    : { kind: 'EC', bits: Number(/\d{3}/.exec(namedCurve)?.[0] ?? 0) };
}

const EC_PUBLIC_KEY = '1.2.840.10045.2.1';
const OID_TAG = 6;

/** A curve that is spelled out instead of named can be any curve (RFC 5480 §2.1.1). */
const spellsOutCurve = ({ algorithm, parameters }: AlgorithmIdentifier): boolean =>
  algorithm === EC_PUBLIC_KEY && (!parameters || new Uint8Array(parameters)[0] !== OID_TAG);

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

function basicConstraints(value: Uint8Array): { ca: boolean; pathLength?: number } {
  const { content } = strictDer(value);
  const { cA, pathLenConstraint } = AsnConvert.parse(value, BasicConstraints);
  if (derElements(content).length > 2) throw new DerError('the basic constraints are malformed');
  if (pathLenConstraint === undefined) return { ca: cA };
  const pathLength = Number(pathLenConstraint);
  if (!(pathLength >= 0)) throw new DerError('the path length is not a number');
  return { ca: cA, pathLength };
}

function extendedKeyUsage(value: Uint8Array): string[] {
  strictDer(value);
  return [...AsnConvert.parse(value, ExtendedKeyUsage)];
}

/** Reads what the extensions that matter say; of one that appears twice the first. */
function extensionFacts(extensions: Extension[]) {
  const read = <T>(oid: string, parse: (value: Uint8Array) => T): T | undefined => {
    const found = extensions.find(({ extnID }) => extnID === oid);
    return found && parse(new Uint8Array(found.extnValue.buffer));
  };
  return {
    extensions: extensions.map(({ extnID, critical }) => ({ oid: extnID, critical })),
    basicConstraints: read('2.5.29.19', basicConstraints),
    keyUsage: read('2.5.29.15', keyUsage),
    extendedKeyUsage: read('2.5.29.37', extendedKeyUsage),
    nameConstraints: read('2.5.29.30', nameConstraints),
    subjectAltNames: read('2.5.29.17', generalNames) ?? [],
  };
}

const VERSIONS = [1, 2, 3] as const;

/**
 * The model of a certificate that both readers accept: `x509` for the key, the schema for everything else.
 * @throws Error of any kind when it is malformed
 */
export function certificateModel(der: Uint8Array, x509: X509Certificate): ParsedCertificate {
  const { tbsCertificate: tbs, signatureAlgorithm } = AsnConvert.parse(der, Certificate);
  const version = VERSIONS[tbs.version];
  if (version === undefined) throw new DerError('the version is not known');
  if (!tbs.signature.isEqual(signatureAlgorithm)) throw new DerError('its two signature algorithms differ');
  return {
    der,
    fingerprint: createHash('sha256').update(der).digest('base64url'),
    version,
    subject: distinguishedName(tbs.subject),
    issuer: distinguishedName(tbs.issuer),
    notBefore: tbs.validity.notBefore.getTime().getTime(),
    notAfter: tbs.validity.notAfter.getTime().getTime(),
    publicKey: spellsOutCurve(tbs.subjectPublicKeyInfo.algorithm) ? UNUSABLE : keyFacts(x509.publicKey),
    signature: { oid: signatureAlgorithm.algorithm, digest: digestOf(signatureAlgorithm) },
    ...extensionFacts([...(tbs.extensions ?? [])]),
  };
}
