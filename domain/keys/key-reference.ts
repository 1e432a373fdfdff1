import type { Backend, ExistingKey, KeyReference, KeyType, PublicJwk } from '../../ports/key-service.ts';
import { at, invalidField, isDomainError } from '../foundation/errors.ts';
import type { FieldPath } from '../foundation/field-paths.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { isSameKey, readPublicJwk } from '../jose/jwk.ts';
import { keyTypeOf } from '../jose/key-types.ts';
import type { BackendRow } from './backends/backend.ts';
import { JWK } from './backends/jwk.ts';
import { KMSA } from './backends/kmsa.ts';
import { KMSB } from './backends/kmsb.ts';
import { KMSC } from './backends/kmsc.ts';
import { PKCS11 } from './backends/pkcs11.ts';
import { TSE } from './backends/tse.ts';

/** The table of key backends; add a row to add one. */
export const BACKENDS: Readonly<Record<Backend, BackendRow>> = {
  jwk: JWK,
  'kmsa-rest-api': KMSA,
  'kmsb-rest-api': KMSB,
  'kmsc-rest-api': KMSC,
  tse: TSE,
  pkcs11: PKCS11,
};

/** The backend of a spelling; undefined for an unknown one. */
export const backendOf = (spelling: string): Backend | undefined =>
  NAMES.find((name) => BACKENDS[name].spellings.includes(spelling));

const NAMES = Object.keys(BACKENDS) as Backend[];

/** What a key reference of the wire says. */
interface ReadReference {
  key: ExistingKey;
  /** The positions of the members that errors name. */
  place: Readonly<Record<string, FieldPath>>;
  /** The stated `_keyType`. */
  keyType?: unknown;
}

/** Parses the members of a key reference besides `type`. @throws DomainError `BadRequest` naming the member */
export function readReference(backend: Backend, wire: JsonObject): ReadReference {
  const { _publicKey: stated, _keyType: keyType, ...members } = withoutNulls(wire);
  const { configAt, publicJwk, ...key } = BACKENDS[backend].read(members);
  const said = stated === undefined ? publicJwk : at(['_publicKey'], () => readStated(stated));
  if (publicJwk && said && !isSameKey(said, publicJwk)) throw invalidField(['_publicKey'], 'contradicts the key');
  return { key: { publicJwk: said, ...key }, place: { config: configAt }, keyType };
}

/** The type of a key. @throws DomainError `BadRequest` naming `_keyType` when it contradicts the stated one */
export function checkKeyType(publicJwk: PublicJwk, stated: unknown): KeyType {
  const keyType = keyTypeOf(publicJwk);
  if ((stated ?? keyType) !== keyType) throw invalidField(['_keyType'], `contradicts the key, which is ${keyType}`);
  return keyType;
}

/** The key reference object of the wire; `type` has the caller's spelling. */
export const writeReference = (reference: KeyReference, spelling: string): JsonObject & { type: string } => ({
  type: spelling,
  ...BACKENDS[reference.backend].write(reference),
});

const withoutNulls = (wire: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(wire).filter(([, member]) => member !== null && member !== undefined));

/** A JWK as an object or as JSON text, alone or as `jwk` of an object. */
function readStated(value: unknown): PublicJwk {
  try {
    const stated = typeof value === 'string' ? parseJson(value) : value;
    const jwk = isObject(stated) && stated.jwk !== undefined ? stated.jwk : stated;
    return readPublicJwk(typeof jwk === 'string' ? parseJson(jwk) : jwk);
  } catch (error) {
    throw isDomainError(error, 'BadRequest') ? invalidField([], error.message) : error;
  }
}
