import type { KeyType, PublicJwk } from '../../ports/key-service.ts';
import { DomainError } from '../foundation/errors.ts';

/** Everything the service knows of one key type. */
export interface KeyTypeFacts {
  kty: 'EC' | 'OKP' | 'RSA';
  crv?: string;
  /** JOSE algorithm (RFC 7518, RFC 8037, RFC 8812). */
  alg: string;
  digest: 'sha256' | 'sha384' | 'sha512' | null;
  /** Bytes of one coordinate, for EC and OKP. */
  coordinateBytes?: number;
  modulusBits?: number;
  /** Multicodec of the public key in did:key. */
  multicodec: number;
}

/** The table of key types: one row is all it takes to know another. */
export const KEY_TYPES: Record<KeyType, KeyTypeFacts> = {
  Ed25519: { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', digest: null, coordinateBytes: 32, multicodec: 0xed },
  secp256k1: { kty: 'EC', crv: 'secp256k1', alg: 'ES256K', digest: 'sha256', coordinateBytes: 32, multicodec: 0xe7 },
  secp256r1: { kty: 'EC', crv: 'P-256', alg: 'ES256', digest: 'sha256', coordinateBytes: 32, multicodec: 0x1200 },
  secp384r1: { kty: 'EC', crv: 'P-384', alg: 'ES384', digest: 'sha384', coordinateBytes: 48, multicodec: 0x1201 },
  secp521r1: { kty: 'EC', crv: 'P-521', alg: 'ES512', digest: 'sha512', coordinateBytes: 66, multicodec: 0x1202 },
  RSA: { kty: 'RSA', alg: 'RS256', digest: 'sha256', modulusBits: 2048, multicodec: 0x1205 },
  RSA3072: { kty: 'RSA', alg: 'RS384', digest: 'sha384', modulusBits: 3072, multicodec: 0x1205 },
  RSA4096: { kty: 'RSA', alg: 'RS512', digest: 'sha512', modulusBits: 4096, multicodec: 0x1205 },
};

export const KEY_TYPE_NAMES = Object.keys(KEY_TYPES) as KeyType[];

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
  facts.kty === jwk.kty && (facts.kty === 'RSA' ? facts.modulusBits === modulusBits(jwk) : facts.crv === jwk.crv);

/** The size of an RSA modulus in bits, read from its base64url text. */
export function modulusBits(jwk: PublicJwk): number {
  const bytes = Math.floor(((jwk.n?.length ?? 0) * 3) / 4);
  return bytes * 8;
}

/** Whether a JOSE algorithm may be used with a key: each of our key types has one, RSA keys take any RS*. */
export function algorithmFits(alg: string, jwk: PublicJwk): boolean {
  if (jwk.kty === 'RSA') return /^RS(256|384|512)$/.test(alg) && modulusBits(jwk) >= 2048;
  return KEY_TYPE_NAMES.some((name) => KEY_TYPES[name].alg === alg && fits(KEY_TYPES[name], jwk));
}
