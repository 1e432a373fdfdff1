import type { Mechanism, PKCS11, Template } from 'pkcs11js';
import { base64url } from '../../../domain/foundation/bytes.ts';
import { coordinateBytes, KEY_TYPE_NAMES, KEY_TYPES } from '../../../domain/jose/key-types.ts';
import type { KeyType, PublicJwk } from '../../../ports/key-service.ts';
import { TokenFailure } from './calls.ts';

/** The constants of PKCS#11 that pkcs11js does not name: those of Edwards curves are of version 3.0. */
export const CK = {
  CLASS: 0x0,
  TOKEN: 0x1,
  PRIVATE: 0x2,
  LABEL: 0x3,
  KEY_TYPE: 0x100,
  ID: 0x102,
  SENSITIVE: 0x103,
  ENCRYPT: 0x104,
  DECRYPT: 0x105,
  WRAP: 0x106,
  UNWRAP: 0x107,
  SIGN: 0x108,
  VERIFY: 0x10a,
  MODULUS: 0x120,
  MODULUS_BITS: 0x121,
  PUBLIC_EXPONENT: 0x122,
  EXTRACTABLE: 0x162,
  EC_PARAMS: 0x180,
  EC_POINT: 0x181,
  PUBLIC_KEY: 2,
  PRIVATE_KEY: 3,
} as const;

const MECHANISM = { rsaKey: 0x0, rsa: 0x1, ecKey: 0x1040, ec: 0x1041, edKey: 0x1055, ed: 0x1057 } as const;

/** The curves as object identifiers in DER (RFC 5480 §2.1.1.1, SEC 2, RFC 8410). */
const CURVES: Readonly<Partial<Record<KeyType, string>>> = {
  secp256r1: '06082a8648ce3d030107',
  secp384r1: '06052b81040022',
  secp521r1: '06052b81040023',
  secp256k1: '06052b8104000a',
  Ed25519: '06032b6570',
};

/** Other ways to write a curve: as the name of PKCS#11 3.0 §2.3.5 (edwards25519). */
const OTHER_CURVES: Readonly<Record<string, KeyType>> = { '130c656477617264733235353139': 'Ed25519' };

/** DigestInfo before the digest (RFC 8017 §9.2, note 1). */
const DIGEST_INFO: Readonly<Record<string, string>> = {
  sha256: '3031300d060960864801650304020105000420',
  sha384: '3041300d060960864801650304020205000430',
  sha512: '3051300d060960864801650304020305000440',
};

const EXPONENT = Buffer.from([1, 0, 1]);

/** How keys of a type are made. */
export function generationOf(keyType: KeyType): { mechanism: Mechanism; publicTemplate: Template } {
  const { kty, bits } = KEY_TYPES[keyType];
  if (kty === 'RSA')
    return {
      mechanism: { mechanism: MECHANISM.rsaKey },
      publicTemplate: [
        { type: CK.MODULUS_BITS, value: bits },
        { type: CK.PUBLIC_EXPONENT, value: EXPONENT },
        { type: CK.ENCRYPT, value: false },
        { type: CK.WRAP, value: false },
      ],
    };
  return {
    mechanism: { mechanism: kty === 'OKP' ? MECHANISM.edKey : MECHANISM.ecKey },
    publicTemplate: [{ type: CK.EC_PARAMS, value: Buffer.from(CURVES[keyType] ?? '', 'hex') }],
  };
}

/** How a signature is made, and over which bytes: a digest, that of RSA with the name of its algorithm before it. */
export function signingOf(keyType: KeyType, digest: Uint8Array): { mechanism: Mechanism; data: Buffer } {
  const { kty, digest: name } = KEY_TYPES[keyType];
  if (kty === 'OKP') return { mechanism: { mechanism: MECHANISM.ed }, data: Buffer.from(digest) };
  if (kty === 'EC') return { mechanism: { mechanism: MECHANISM.ec }, data: Buffer.from(digest) };
  const info = Buffer.from(DIGEST_INFO[name ?? ''] ?? '', 'hex');
  return { mechanism: { mechanism: MECHANISM.rsa }, data: Buffer.concat([info, digest]) };
}

/** What is read from an object of a token. */
type Attributes = (...types: number[]) => Buffer[];

/** The attributes of an object. */
export const attributesOf =
  (module: PKCS11, session: Buffer, object: Buffer): Attributes =>
  (...types) =>
    module
      .C_GetAttributeValue(
        session,
        object,
        types.map((type) => ({ type })),
      )
      .map(({ value }) => Buffer.from(value as Buffer));

/** The public key of a public key object. @throws TokenFailure `unusable-key` for a type that is not known here */
export function publicJwkOf(read: Attributes): PublicJwk {
  const [type = Buffer.alloc(1)] = read(CK.KEY_TYPE);
  if (type[0] === 0) {
    const [modulus = Buffer.alloc(0), exponent = Buffer.alloc(0)] = read(CK.MODULUS, CK.PUBLIC_EXPONENT);
    return { kty: 'RSA', n: base64url(unsigned(modulus)), e: base64url(unsigned(exponent)) };
  }
  const [parameters = Buffer.alloc(0), point = Buffer.alloc(0)] = read(CK.EC_PARAMS, CK.EC_POINT);
  const hex = parameters.toString('hex');
  const keyType = OTHER_CURVES[hex] ?? KEY_TYPE_NAMES.find((name) => CURVES[name] === hex);
  if (keyType === undefined) throw new TokenFailure('unusable-key', 'the type of the key is not supported here');
  return pointOf(keyType, point);
}

/** Most tokens wrap a point in an OCTET STRING, as the specification asks; some do not. */
function pointOf(keyType: KeyType, value: Buffer): PublicJwk {
  const facts = KEY_TYPES[keyType];
  const size = coordinateBytes(facts);
  const length = facts.kty === 'OKP' ? size : 2 * size + 1;
  const header = value.length - length;
  if (![0, 2, 3].includes(header)) throw new TokenFailure('unavailable', 'the returned public key cannot be read');
  const point = value.subarray(header);
  if (facts.kty === 'OKP') return { kty: 'OKP', crv: 'Ed25519', x: base64url(point) };
  const [x, y] = [point.subarray(1, 1 + size), point.subarray(1 + size)];
  return { kty: 'EC', crv: facts.crv, x: base64url(x), y: base64url(y) };
}

const unsigned = (integer: Buffer): Buffer =>
  integer.subarray(
    Math.max(
      0,
      integer.findIndex((byte) => byte !== 0),
    ),
  );
