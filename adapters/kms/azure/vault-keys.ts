import type { CreateKeyOptions, JsonWebKey } from '@azure/keyvault-keys';
import { base64url } from '../../../domain/foundation/bytes.ts';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import { readPublicJwk } from '../../../domain/jose/jwk.ts';
import { coordinateBytes, KEY_TYPES } from '../../../domain/jose/key-types.ts';
import type { KeyType, PublicJwk } from '../../../ports/key-service.ts';
import { KmsFailure } from '../remote/kms.ts';

/** The vault's name of the one curve that JOSE names otherwise (RFC 8812). */
const P256K = 'P-256K';

/** The position of a key in a vault. */
export interface KeyPlace {
  name: string;
  /** Absent for the latest version. */
  version?: string;
}

/** Name and version in the URL of a key of the vault; undefined for any other URL. */
export function placeOf(id: string, origin: string): KeyPlace | undefined {
  const start = `${origin}/keys/`;
  const [name = '', version, ...rest] = id.startsWith(start) ? id.slice(start.length).split('/') : [];
  const isVersion = version === undefined || /^[0-9a-f]{32}$/.test(version);
  return /^[0-9A-Za-z-]{1,127}$/.test(name) && isVersion && rest.length === 0 ? { name, version } : undefined;
}

/** What a key of a type is created with. */
export function newKeyOf(keyType: KeyType): { kty: 'EC' | 'RSA'; options: CreateKeyOptions } {
  const { kty, crv, bits } = KEY_TYPES[keyType];
  const keyOps = ['sign', 'verify'];
  if (kty === 'RSA') return { kty, options: { keySize: bits, keyOps } };
  return { kty: 'EC', options: { curve: crv === 'secp256k1' ? P256K : crv, keyOps } };
}

/** The public key of a key of the vault, without its URL. @throws KmsFailure for a key that signs nothing here */
export function publicJwkOf({ kty, crv, x, y, n, e }: JsonWebKey): PublicJwk {
  // A key in a hardware module has kty EC-HSM or RSA-HSM.
  const type = kty?.replace(/-HSM$/, '');
  const jwk =
    type === 'RSA'
      ? { kty: type, n: number(n), e: number(e) }
      : { kty: type, crv: crv === P256K ? 'secp256k1' : crv, x: text(x), y: text(y) };
  try {
    return readPublicJwk(jwk);
  } catch (cause) {
    if (!isDomainError(cause, 'BadRequest')) throw cause;
    throw new KmsFailure('unusable-key', cause.message, cause);
  }
}

const text = (bytes: Uint8Array | undefined): string | undefined => bytes && base64url(bytes);

/** An integer without leading zeros (RFC 7518 §2, Base64urlUInt). */
const number = (bytes: Uint8Array | undefined): string | undefined =>
  text(
    bytes?.subarray(
      Math.max(
        0,
        bytes.findIndex((byte) => byte !== 0),
      ),
    ),
  );

/** Bytes of a signature: r‖s by the curve, or the modulus. */
export function signatureBytes(keyType: KeyType): number {
  const facts = KEY_TYPES[keyType];
  return facts.kty === 'RSA' ? facts.bits / 8 : 2 * coordinateBytes(facts);
}
