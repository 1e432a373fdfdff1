import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { oauthError } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { ItemKind } from '../protocol.ts';

/**
 * The kinds of credentials that a request of draft 13 or an authorization detail asks for, at least one.
 * @throws DomainError with a code of draft 13 §7.3.1.2
 */
export function requestedKinds(
  kinds: readonly ItemKind[],
  request: JsonObject,
  formats: CredentialFormats,
): ItemKind[] {
  const { format, credential_configuration_id: id } = request;
  if (format === undefined && isText(id)) return ofConfiguration(kinds, id);
  if (!isText(format)) throw oauthError('invalid_credential_request', 'format is required');
  const ofFormat = kinds.filter((kind) => kind.format === format);
  if (ofFormat.length === 0)
    throw oauthError('unsupported_credential_format', 'format: nothing of this format was offered');
  const { typeMember } = formats.get(format);
  const wanted = isText(ofFormat[0]?.type) ? ofType(ofFormat, request, typeMember) : ofTypes(ofFormat, request);
  if (wanted.found.length > 0) return wanted.found;
  throw oauthError('unsupported_credential_type', `${wanted.member}: nothing of this type was offered`);
}

/** What wallets of draft 15 ask by, which know `dc+sd-jwt` as draft 13 does not. */
function ofConfiguration(kinds: readonly ItemKind[], id: string): ItemKind[] {
  const found = kinds.filter(({ configurationId }) => configurationId === id);
  if (found.length > 0) return found;
  throw oauthError('unsupported_credential_type', 'credential_configuration_id: nothing of it was offered');
}

/** The kinds that have the type a request names, and the member that names it. */
interface WantedKinds {
  member: string;
  found: ItemKind[];
}

/** SD-JWT VCs and mdocs (draft 13 Appendices A.2, A.3). */
function ofType(kinds: readonly ItemKind[], request: JsonObject, member: string): WantedKinds {
  const type = request[member];
  if (!isText(type)) throw oauthError('invalid_credential_request', `${member} is required for this format`);
  return { member, found: kinds.filter((kind) => kind.type === type) };
}

/** W3C credentials (draft 13 Appendix A.1). */
function ofTypes(kinds: readonly ItemKind[], request: JsonObject): WantedKinds {
  const { credential_definition: definition, types: beside } = request;
  const member = 'credential_definition.type';
  const types = asList((isObject(definition) ? definition.type : undefined) ?? beside);
  if (types.length === 0) throw oauthError('invalid_credential_request', `${member} is required for this format`);
  return { member, found: kinds.filter((kind) => kind.types.some((own) => sameTypes(own, types))) };
}

const sameTypes = (types: string[], wanted: unknown[]): boolean =>
  types.length === wanted.length && types.every((type) => wanted.includes(type));
