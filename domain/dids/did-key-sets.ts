import type { PublicJwk } from '../../ports/key-service.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import { withKid } from '../jose/jwk.ts';
import { MAX_DID_KEYS } from '../network/document-bounds.ts';
import { absoluteId, methodId } from './did-document.ts';
import { DID_CONTEXT, verificationMethod } from './did-methods.ts';

/** What a key of a DID may be for (DID Core §5.3). */
export const RELATIONSHIPS = [
  'assertionMethod',
  'authentication',
  'capabilityInvocation',
  'capabilityDelegation',
  'keyAgreement',
] as const;

type Relationship = (typeof RELATIONSHIPS)[number];

/** The keys of a DID by what they are for. */
export type KeysByRelationship = Partial<Record<Relationship, readonly PublicJwk[]>>;

/** Those of keys that are for everything but key agreement, which needs keys of its own. */
export const forEverything = (jwks: readonly PublicJwk[]): KeysByRelationship =>
  Object.fromEntries(RELATIONSHIPS.filter((name) => name !== 'keyAgreement').map((name) => [name, jwks]));

/** The document of a DID with several keys (DID Core §5). */
export function keySetDocument(did: string, keys: KeysByRelationship): JsonObject {
  const idsOf = (jwks: readonly PublicJwk[]): string[] => jwks.map((jwk) => verificationMethod(did, jwk));
  const all = RELATIONSHIPS.flatMap((name) => keys[name] ?? []).map((jwk) => methodOf(did, jwk));
  const named = RELATIONSHIPS.flatMap((name) => (keys[name] ? [[name, idsOf(keys[name])] as const] : []));
  return {
    '@context': DID_CONTEXT,
    id: did,
    verificationMethod: all.filter(({ id }, at) => all.findIndex((one) => one.id === id) === at),
    ...Object.fromEntries(named),
  };
}

const methodOf = (did: string, jwk: PublicJwk) => ({
  id: verificationMethod(did, jwk),
  type: 'JsonWebKey2020',
  controller: did,
  publicKeyJwk: withKid(jwk),
});

/** The keys that a DID has from now on, and the earlier verification methods that leave its document. */
interface Rotation {
  keys: KeysByRelationship;
  /** By their ids. */
  remove: readonly string[];
}

/**
 * The document of a DID with other keys. Those before stay as verification methods that may have made assertions, behind the
 * new ones, and are good for nothing else.
 * @throws DomainError `BadRequest` naming an entry of `remove` that is none of them, `Conflict` when the document would have
 * more than 32 keys
 */
export function rotatedDocument(document: JsonObject, did: string, { keys, remove }: Rotation): JsonObject {
  const next = keySetDocument(did, keys);
  const current = asList(next.verificationMethod).filter(isObject);
  const isCurrent = (id: string): boolean => current.some((method) => methodId(method, did) === id);
  const before = asList(document.verificationMethod).filter(isObject);
  const earlier = before.filter((method) => !isCurrent(methodId(method, did)));
  const known = earlier.map((method) => methodId(method, did));
  const unknown = remove.findIndex((id) => !known.includes(id));
  if (unknown >= 0) throw invalidField(['remove', unknown], 'is no earlier verification method of the DID');
  const kept = earlier.filter((method) => !remove.includes(methodId(method, did)));
  if (current.length + kept.length > MAX_DID_KEYS)
    throw new DomainError('Conflict', `The DID would have more than ${MAX_DID_KEYS} keys: remove earlier ones`);
  const asserted = asList(document.assertionMethod)
    .filter(isText)
    .map((id) => absoluteId(id, did))
    .filter((id) => kept.some((method) => methodId(method, did) === id));
  const assertionMethod = [...asList(next.assertionMethod), ...asserted];
  const others = Object.entries(document).filter(([name]) => !RELATIONSHIPS.some((one) => one === name));
  return {
    ...Object.fromEntries(others),
    ...next,
    ...(document['@context'] !== undefined && { '@context': document['@context'] }),
    verificationMethod: [...current, ...kept],
    ...(assertionMethod.length > 0 && { assertionMethod }),
  };
}
