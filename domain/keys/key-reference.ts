import type { Backend, KeyReference, PublicJwk } from '../../ports/key-service.ts';
import { invalidField, isDomainError } from '../foundation/errors.ts';
import { isObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { isSameKey, readPublicJwk } from '../jose/jwk.ts';

/** Every spelling of a backend that existing clients use, and the name the domain knows (decisions §1). */
export const BACKEND_ALIASES: Record<string, Backend> = {
  jwk: 'jwk',
  'kmsa-rest-api': 'kmsa-rest-api',
  kmsa: 'kmsa-rest-api',
  'aws-rest-api': 'kmsa-rest-api',
  aws: 'kmsa-rest-api',
  'kmsb-rest-api': 'kmsb-rest-api',
  kmsb: 'kmsb-rest-api',
  'azure-rest-api': 'kmsb-rest-api',
  azure: 'kmsb-rest-api',
  'kmsc-rest-api': 'kmsc-rest-api',
  kmsc: 'kmsc-rest-api',
  'oci-rest-api': 'kmsc-rest-api',
  oci: 'kmsc-rest-api',
};

/** The backend of a spelling; undefined for an unknown one. */
export const backendOf = (spelling: string): Backend | undefined =>
  Object.hasOwn(BACKEND_ALIASES, spelling) ? BACKEND_ALIASES[spelling] : undefined;

/** What a key reference of the wire may state about its key (interface: Issuer key reference object). */
export interface StatedKey {
  _keyType?: unknown;
  _publicKey?: unknown;
}

/**
 * Compares what a reference states about its key with the key itself.
 * @throws DomainError `BadRequest` naming `_keyType` or `_publicKey` when they disagree
 */
export function checkStatedKey(
  { _keyType: type, _publicKey: key }: StatedKey,
  { keyType, publicJwk }: KeyReference,
): void {
  if ((type ?? keyType) !== keyType) throw invalidField(['_keyType'], `contradicts the key, which is ${keyType}`);
  if ((key ?? undefined) !== undefined && !isSameKey(readStated(key), publicJwk))
    throw invalidField(['_publicKey'], 'contradicts the key');
}

/** A JWK as an object or as JSON text, alone or as `jwk` of an object. */
function readStated(value: unknown): PublicJwk {
  try {
    const stated = typeof value === 'string' ? parseJson(value) : value;
    const jwk = isObject(stated) && stated.jwk !== undefined ? stated.jwk : stated;
    return readPublicJwk(typeof jwk === 'string' ? parseJson(jwk) : jwk);
  } catch (error) {
    throw isDomainError(error, 'BadRequest') ? invalidField(['_publicKey'], error.message) : error;
  }
}
