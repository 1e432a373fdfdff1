import type { PublicJwk } from '../../ports/key-service.ts';
import { fingerprint, fromBase64url } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { coordinateBytes, KEY_TYPES, keyTypeOf } from './key-types.ts';

const REQUIRED: Record<PublicJwk['kty'], readonly ('crv' | 'e' | 'n' | 'x' | 'y')[]> = {
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
  RSA: ['e', 'n'],
};

/** The text that is hashed for the thumbprint (RFC 7638 §3): the required members in lexicographic order. */
export const canonicalKey = ({ kty, crv, x, y, e, n }: PublicJwk): string =>
  JSON.stringify(kty === 'RSA' ? { e, kty, n } : { crv, kty, x, y: kty === 'EC' ? y : undefined });

/** The RFC 7638 SHA-256 thumbprint. */
export const thumbprint = (jwk: PublicJwk): string => fingerprint(canonicalKey(jwk));

/** Whether two JWKs are the same public key, regardless of their other members. */
export const isSameKey = (left: PublicJwk, right: PublicJwk): boolean => canonicalKey(left) === canonicalKey(right);

/** The members of private and symmetric keys (RFC 7518 §6.2.2, §6.3.2, §6.4, RFC 8037 §2). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** Whether a JWK holds more than a public key. */
export const hasPrivateMember = (jwk: JsonObject): boolean => PRIVATE_MEMBERS.some((name) => name in jwk);

/**
 * Parses the public part of an untrusted JWK; other members, private ones among them, are dropped.
 * @throws DomainError `BadRequest` when it is not a key of a supported type in canonical form
 */
export function readPublicJwk(value: unknown): PublicJwk {
  if (!isObject(value) || typeof value.kty !== 'string' || !Object.hasOwn(REQUIRED, value.kty))
    throw new DomainError('BadRequest', 'A JWK needs kty EC, OKP or RSA');
  const kty = value.kty as PublicJwk['kty'];
  const jwk: PublicJwk = { kty };
  for (const name of REQUIRED[kty]) {
    const member = value[name];
    if (typeof member !== 'string' || (name !== 'crv' && !fromBase64url(member)?.length))
      throw new DomainError('BadRequest', `The JWK member ${name} is missing or malformed`);
    jwk[name] = member;
  }
  const bytes = coordinateBytes(KEY_TYPES[keyTypeOf(jwk)]);
  for (const name of ['x', 'y'] as const)
    if (jwk[name] !== undefined && fromBase64url(jwk[name])?.length !== bytes)
      throw new DomainError('BadRequest', `The JWK member ${name} must have ${bytes} bytes`);
  return jwk;
}

/** The public key with its thumbprint as `kid`, members in the order of the contract's examples. */
export function withKid(jwk: PublicJwk, kid = thumbprint(jwk)): PublicJwk {
  return jwk.kty === 'RSA'
    ? { kty: jwk.kty, e: jwk.e, kid, n: jwk.n }
    : { kty: jwk.kty, crv: jwk.crv, kid, x: jwk.x, ...(jwk.y === undefined ? {} : { y: jwk.y }) };
}
