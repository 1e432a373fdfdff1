import type { KeyPurpose } from '../../ports/did-keys.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import { badRequest } from '../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import { isSameKey, readPublicJwk } from '../jose/jwk.ts';
import { readVerificationKey } from '../jose/verification-keys.ts';
import { MAX_DID_KEYS } from '../network/document-bounds.ts';

/**
 * Returns the key that a DID URL names in the document of its DID. The key must be listed for the purpose and controlled
 * by the DID itself.
 * @throws DomainError `BadRequest` when there is none, or several and no fragment says which
 */
export function keyInDocument(document: unknown, didUrl: string, purpose: KeyPurpose): PublicJwk {
  const [did = '', fragment] = didUrl.split('#');
  const shown = didUrl.slice(0, 120);
  const usable = usableMethods(document, did, purpose);
  const named = fragment === undefined ? usable : usable.filter((method) => methodId(method, did) === didUrl);
  const [method, ...others] = named;
  if (!method) throw badRequest(`${shown} names no key for ${purpose}`);
  if (others.length > 0)
    throw badRequest(`${shown} has several keys; the kid must be a DID URL that names one of them`);
  return readVerificationKey(method.publicKeyJwk);
}

/** Returns all keys that the document of a DID lists for a purpose, at most 32. @throws DomainError `BadRequest` */
export const keysInDocument = (document: unknown, did: string, purpose: KeyPurpose): PublicJwk[] =>
  usableMethods(document, did, purpose).map(({ publicKeyJwk }) => readVerificationKey(publicKeyJwk));

/** The DID URL under which the document of a DID lists a key; undefined when it does not. @throws DomainError `BadRequest` */
export function methodIdOf(document: unknown, did: string, jwk: PublicJwk): string | undefined {
  const method = usableMethods(document, did, 'verificationMethod').find(({ publicKeyJwk }) =>
    isKey(publicKeyJwk, jwk),
  );
  return method && methodId(method, did);
}

function isKey(value: unknown, jwk: PublicJwk): boolean {
  try {
    return isSameKey(readPublicJwk(value), jwk);
  } catch {
    return false;
  }
}

/** The methods with a JWK that are listed for the purpose, by reference or in place (DID Core §5.3). */
function usableMethods(document: unknown, did: string, purpose: KeyPurpose): JsonObject[] {
  const shown = did.slice(0, 120);
  if (!isObject(document) || document.id !== did) throw badRequest(`The document of ${shown} is another DID's`);
  const listed = asList(document[purpose]);
  const references = new Set(listed.filter(isText).map((reference) => absoluteId(reference, did)));
  const referred = asList(document.verificationMethod)
    .filter(isObject)
    .filter((method) => references.has(methodId(method, did)));
  const usable = [...referred, ...listed.filter(isObject)].filter(
    ({ controller, publicKeyJwk }) => controller === did && isObject(publicKeyJwk),
  );
  if (usable.length > MAX_DID_KEYS)
    throw badRequest(`The document of ${shown} has more than ${MAX_DID_KEYS} usable keys`);
  return usable;
}

/** DID URLs of a document may be relative to its DID (DID Core §3.2.2). */
export const absoluteId = (reference: string, did: string): string =>
  reference.startsWith('#') ? `${did}${reference}` : reference;

/** The DID URL of a verification method; '' when it has none. */
export const methodId = ({ id }: JsonObject, did: string): string => (isText(id) ? absoluteId(id, did) : '');
