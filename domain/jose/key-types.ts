import type { Backend, KeyType, PublicJwk } from '../../ports/key-service.ts';
import { DomainError } from '../foundation/errors.ts';

/** A digest of a signature algorithm; null for one that hashes by itself. */
type Digest = 'sha256' | 'sha384' | 'sha512' | null;

/** Everything the service knows of one key type. */
export interface KeyTypeFacts {
  kty: 'EC' | 'OKP' | 'RSA';
  /** The JOSE name of the curve (RFC 7518 §6.2.1.1, RFC 8037, RFC 8812). */
  crv?: string;
  /** The OpenSSL name of the curve. */
  opensslCurve?: string;
  /** Bits of the curve or of the modulus. */
  bits: number;
  /** JOSE algorithm (RFC 7518 §3.1, RFC 8037, RFC 8812). */
  alg: string;
  digest: Digest;
  /** Whether the FAPI 2.0 security profile (§5.4.1) allows the algorithm. */
  isFapi?: boolean;
  /** Multicodec of the public key in did:key. */
  multicodec: number;
  /** The backends that have keys of this type (interface: Resources, rule of `keyType`). */
  backends: readonly Backend[];
}

const LOCAL: readonly Backend[] = ['jwk', 'pkcs11'];
const SOME: readonly Backend[] = [...LOCAL, 'kmsa-rest-api', 'kmsb-rest-api'];
const MOST: readonly Backend[] = [...SOME, 'tse'];
const EVERY: readonly Backend[] = [...MOST, 'kmsc-rest-api'];

const ec = (crv: string, opensslCurve: string, bits: number) => ({ kty: 'EC', crv, opensslCurve, bits }) as const;
const rsa = (bits: number) => ({ kty: 'RSA', bits, multicodec: 0x1205 }) as const;

/** The table of key types; add a row to add one. */
export const KEY_TYPES: Readonly<Record<KeyType, KeyTypeFacts>> = {
  Ed25519: {
    kty: 'OKP',
    crv: 'Ed25519',
    bits: 256,
    alg: 'EdDSA',
    digest: null,
    isFapi: true,
    multicodec: 0xed,
    backends: [...LOCAL, 'tse'],
  },
  secp256k1: {
    ...ec('secp256k1', 'secp256k1', 256),
    alg: 'ES256K',
    digest: 'sha256',
    multicodec: 0xe7,
    backends: SOME,
  },
  secp256r1: {
    ...ec('P-256', 'prime256v1', 256),
    alg: 'ES256',
    digest: 'sha256',
    isFapi: true,
    multicodec: 0x1200,
    backends: EVERY,
  },
  secp384r1: { ...ec('P-384', 'secp384r1', 384), alg: 'ES384', digest: 'sha384', multicodec: 0x1201, backends: MOST },
  secp521r1: { ...ec('P-521', 'secp521r1', 521), alg: 'ES512', digest: 'sha512', multicodec: 0x1202, backends: MOST },
  RSA: { ...rsa(2048), alg: 'RS256', digest: 'sha256', backends: EVERY },
  RSA3072: { ...rsa(3072), alg: 'RS384', digest: 'sha384', backends: MOST },
  RSA4096: { ...rsa(4096), alg: 'RS512', digest: 'sha512', backends: MOST },
};

export const KEY_TYPE_NAMES = Object.keys(KEY_TYPES) as KeyType[];

const ROWS: readonly KeyTypeFacts[] = Object.values(KEY_TYPES);

/** The digest of each JOSE algorithm that is signed and verified with, by its name. */
export const DIGESTS: ReadonlyMap<string, Digest> = new Map(ROWS.map(({ alg, digest }) => [alg, digest]));

/** The names of these algorithms. */
export const ALGORITHMS: readonly string[] = [...DIGESTS.keys()];

/** The algorithms with which clients prove possession of a key. */
export const FAPI_ALGORITHMS: readonly string[] = ROWS.filter(({ isFapi }) => isFapi).map(({ alg }) => alg);

/** The curve with a name of OpenSSL. */
export const opensslCurve = (name: string): KeyTypeFacts | undefined =>
  ROWS.find((row) => row.opensslCurve !== undefined && row.opensslCurve === name);

/** Bytes of one coordinate of a point on the curve (RFC 7518 §6.2.1.2). */
export const coordinateBytes = ({ bits }: KeyTypeFacts): number => Math.ceil(bits / 8);

/** The key type of a public key. @throws DomainError `BadRequest` for a key of no known type */
export function keyTypeOf(jwk: PublicJwk): KeyType {
  const type = KEY_TYPE_NAMES.find((name) => fits(KEY_TYPES[name], jwk));
  if (type === undefined)
    throw new DomainError(
      'BadRequest',
      `A key with kty ${String(jwk.kty).slice(0, 16)} of this size or curve is not supported`,
    );
  return type;
}

const fits = (facts: KeyTypeFacts, jwk: PublicJwk): boolean =>
  facts.kty === jwk.kty && (facts.kty === 'RSA' ? facts.bits === modulusBits(jwk) : facts.crv === jwk.crv);

/** The size of an RSA modulus in bits, read from its base64url text. */
function modulusBits(jwk: PublicJwk): number {
  const bytes = Math.floor(((jwk.n?.length ?? 0) * 3) / 4);
  return bytes * 8;
}

/** Whether a JOSE algorithm may be used with a key: that of its type, or any RSA algorithm with an RSA key that states none. */
export const algorithmFits = (alg: string, jwk: PublicJwk): boolean =>
  (jwk.alg === undefined || jwk.alg === alg) &&
  ROWS.some((row) => row.alg === alg && (row.kty === 'RSA' ? isLargeRsaKey(jwk) : fits(row, jwk)));

const isLargeRsaKey = (jwk: PublicJwk): boolean => jwk.kty === 'RSA' && modulusBits(jwk) >= KEY_TYPES.RSA.bits;
