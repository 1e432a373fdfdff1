import { oauthError } from '../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import { busy, isLeased } from '../foundation/lease.ts';
import { type IssuanceItem, type IssuanceSession, identifierOf } from './issuance-session.ts';

/**
 * The first of the session's credentials that the request asks for and no other request is making.
 * @throws DomainError with a code of OpenID4VCI draft 13 §7.3.1.2, `Busy` when all of them are being made
 */
export function findItem({ items }: IssuanceSession, request: JsonObject, now: number): IssuanceItem {
  const wanted = wantedItems(items, request);
  const free = wanted.find(({ lease }) => !isLeased(lease, now));
  if (free) return free;
  throw busy({ until: Math.min(...wanted.map(({ lease }) => lease?.until ?? now)) }, now);
}

/** At least one. */
function wantedItems(items: IssuanceItem[], request: JsonObject): IssuanceItem[] {
  const { format, credential_definition: definition, credential_identifier: identifier } = request;
  if (identifier !== undefined) return [itemNamed(identifier, items)];
  if (!isText(format)) throw oauthError('invalid_credential_request', 'format is required');
  const ofFormat = items.filter(({ content }) => content.format === format);
  if (ofFormat.length === 0)
    throw oauthError('unsupported_credential_format', 'format: nothing of this format was offered');
  const types = asList((isObject(definition) ? definition.type : undefined) ?? request.types);
  if (types.length === 0)
    throw oauthError('invalid_credential_request', 'credential_definition.type is required for this format');
  const found = ofFormat.filter(({ content }) => content.types.some((own) => sameTypes(own, types)));
  if (found.length > 0) return found;
  throw oauthError('unsupported_credential_type', 'credential_definition.type: nothing of these types was offered');
}

function itemNamed(identifier: unknown, items: IssuanceItem[]): IssuanceItem {
  const found = items.find((item) => identifierOf(item) === identifier);
  if (found) return found;
  throw oauthError('invalid_credential_request', 'credential_identifier: nothing is left to be issued by this name');
}

const sameTypes = (types: string[], wanted: unknown[]): boolean =>
  types.length === wanted.length && types.every((type) => wanted.includes(type));
