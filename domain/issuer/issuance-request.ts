import { FORMATS } from '../credentials/formats.ts';
import { checkMapping } from '../credentials/mapping.ts';
import type { StatusListMember } from '../credentials/status-list-kinds.ts';
import { at, invalidField } from '../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import { isCallableUrl } from '../network/urls.ts';
import type { CredentialConfiguration, CredentialConfigurations } from './credential-configuration.ts';
import type { IssuableContent } from './issuable-content.ts';

/** One credential to be offered (interface: Issuer service), as the document validates it. */
export interface IssuanceRequest {
  issuerKey: JsonObject;
  issuerDid?: string;
  credentialConfigurationId?: string;
  credentialData?: JsonObject;
  mapping?: JsonObject;
  credentialStatus?: unknown;
  statusList?: StatusListMember;
  display?: unknown;
  /** Certificates as PEM, leaf first. */
  x5Chain?: string[];
}

/**
 * Reads everything of an issuance request but its key and certificates.
 * @throws DomainError `BadRequest` naming what is wrong
 */
export function readContent(
  request: Omit<IssuanceRequest, 'issuerKey' | 'x5Chain'>,
  configurations: CredentialConfigurations,
): Omit<IssuableContent, 'issuerKey' | 'x5c' | 'statusList'> {
  const { issuerDid, credentialData: data, mapping = {}, credentialStatus } = request;
  if (!isText(issuerDid)) throw invalidField(['issuerDid'], 'is required for a W3C credential');
  if (data === undefined) throw invalidField(['credentialData'], 'is required');
  const ownTypes = asList(data.type).filter(isText);
  if (ownTypes.length === 0) throw invalidField(['credentialData', 'type'], 'must name the types of the credential');
  at(['credentialData'], () => checkNames(data, mapping));
  const { id, format, types, display: shown } = findConfiguration(request, ownTypes, configurations);
  const display = request.display ?? data.display ?? shown;
  at(['mapping'], () => checkMapping({ mapping, data }));
  return {
    configurationId: id,
    format,
    types: [types, ownTypes],
    issuerDid,
    credentialData: data,
    mapping,
    credentialStatus,
    display,
  };
}

/** Checks the forms of issuer and id unless the mapping replaces them. */
function checkNames({ issuer = '', id = '' }: JsonObject, mapping: JsonObject): void {
  if (mapping.issuer === undefined && typeof issuer !== 'string' && !isObject(issuer))
    throw invalidField(['issuer'], 'must be a text or an object; its id becomes issuerDid');
  if (mapping.id === undefined && typeof id !== 'string') throw invalidField(['id'], 'must be a text');
}

function findConfiguration(
  { credentialConfigurationId: given }: Pick<IssuanceRequest, 'credentialConfigurationId'>,
  types: string[],
  configurations: CredentialConfigurations,
): CredentialConfiguration {
  const id = given ?? `${types.at(-1)}${FORMATS.jwt_vc_json.configurationSuffix}`;
  const found = configurations.get(id);
  if (found) return found;
  const derived = given === undefined ? ' (derived from the last type of credentialData)' : '';
  throw invalidField(
    ['credentialConfigurationId'],
    `this issuer has no credential configuration "${id.slice(0, 200)}"${derived}`,
  );
}

/** Returns the callback of one session: each `$id` of the template becomes the id. @throws DomainError `BadRequest` */
export function readCallback(template: string, sessionId: string): string {
  const text = template.replaceAll('$id', sessionId);
  if (/^[\x21-\x7e]+$/.test(text) && isCallableUrl(text)) return text;
  throw invalidField([], 'must be an http or https URL without credentials');
}
