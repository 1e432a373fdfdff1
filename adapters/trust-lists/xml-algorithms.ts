import { constants, createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { SignatureAlgorithm } from './xml-library.ts';

const RSA_SHA = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha';
const ECDSA_SHA = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha';
const PSS = 'http://www.w3.org/2007/05/xmldsig-more#sha';

const PSS_OPTIONS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
const ECDSA_OPTIONS = { dsaEncoding: 'ieee-p1363' } as const;

/** One row of the table of signatures. */
interface Row {
  digest: string;
  keyType: 'rsa' | 'ec';
  options: object;
}

const rows = (bits: 256 | 384 | 512): [string, Row][] => [
  [`${RSA_SHA}${bits}`, { digest: `sha${bits}`, keyType: 'rsa', options: {} }],
  [`${PSS}${bits}-rsa-MGF1`, { digest: `sha${bits}`, keyType: 'rsa', options: PSS_OPTIONS }],
  [`${ECDSA_SHA}${bits}`, { digest: `sha${bits}`, keyType: 'ec', options: ECDSA_OPTIONS }],
];

/** The signatures that lists may have (RFC 9231 §2.3); MD5, SHA-1 and HMAC are not among them. */
const SIGNATURES = Object.fromEntries([...rows(256), ...rows(384), ...rows(512)]);

/** The digests that references may have (XML Encryption §5.7, RFC 9231 §2.1.3). */
const DIGESTS: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
};

/** The transform that takes the signature out of what is signed. */
export const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

/** The transforms that references may have; canonical forms are those without comments. */
export const TRANSFORMS: readonly string[] = [
  ENVELOPED,
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
];

const isKeyOf = (key: KeyObject, { keyType }: Row): boolean => key.asymmetricKeyType === keyType;

const signatureClass = (name: string, row: Row) =>
  class implements SignatureAlgorithm {
    getAlgorithmName = (): string => name;
    getSignature = (): never => {
      throw new Error('nothing is signed here');
    };
    verifySignature = (text: string, pem: string, signature: string): boolean => {
      const key = createPublicKey(pem);
      const bytes = Buffer.from(signature, 'base64');
      return isKeyOf(key, row) && verify(row.digest, Buffer.from(text, 'utf8'), { key, ...row.options }, bytes);
    };
  };

const digestClass = (name: string, digest: string) =>
  class {
    getAlgorithmName = (): string => name;
    getHash = (text: string): string => createHash(digest).update(text, 'utf8').digest('base64');
  };

/** The algorithms by their names, as xml-crypto takes them. */
export const SIGNATURE_ALGORITHMS = Object.fromEntries(
  Object.entries(SIGNATURES).map(([name, row]) => [name, signatureClass(name, row)]),
);
export const DIGEST_ALGORITHMS = Object.fromEntries(
  Object.entries(DIGESTS).map(([name, digest]) => [name, digestClass(name, digest)]),
);
