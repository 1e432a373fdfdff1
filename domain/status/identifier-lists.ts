import { DomainError } from '../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import { readListTimes } from './token-status-lists.ts';

/** A parsed identifier list (ISO 18013-5 second edition §12.3.6.4); its signature is verified elsewhere. */
export interface IdentifierList {
  /** The identifiers of the revoked credentials, base64url. */
  identifiers: ReadonlySet<string>;
  /** How long the list may be cached, in milliseconds. */
  ttlMs?: number;
}

/**
 * Reads the claims of a list that was fetched from a URL.
 * @throws DomainError `StatusVerification` when it is not the requested list, `MalformedValue`
 */
export function readIdentifierList(claims: JsonObject, url: string): IdentifierList {
  const ttlMs = readListTimes(claims, url);
  const { identifier_list: list } = claims;
  const identifiers: unknown = isObject(list) ? list.identifiers : undefined;
  if (!Array.isArray(identifiers) || !identifiers.every(isText))
    throw new DomainError('MalformedValue', 'The identifier list has no identifiers');
  return { identifiers: new Set(identifiers), ttlMs };
}
