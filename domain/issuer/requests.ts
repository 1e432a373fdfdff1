import { FORMATS } from '../credentials/formats.ts';
import { checkMapping } from '../credentials/mapping.ts';
import { invalidField } from '../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import { isCallableUrl } from '../network/urls.ts';
import type { CredentialConfiguration, CredentialConfigurations } from './configurations.ts';
import type { IssuableContent } from './issuance-session.ts';

/** One credential to be offered (interface: Issuer service), as far as its form is checked. */
export interface IssuanceRequest {
  issuerKey: JsonObject;
  issuerDid?: string;
  credentialConfigurationId?: string;
  credentialData?: JsonObject;
  mapping?: JsonObject;
  credentialStatus?: unknown;
  display?: unknown;
  /** Certificates as PEM, leaf first. */
  x5Chain?: string[];
}

/** What a request is read with. */
export interface ReadOptions {
  configurations: CredentialConfigurations;
  /** JSON Pointer of the request in the body. */
  path: string;
}

/**
 * Reads everything of an issuance request but its key and certificates.
 * @throws DomainError `BadRequest` with the JSON Pointer of what is wrong
 */
export function readContent(
  request: IssuanceRequest,
  options: ReadOptions,
): Omit<IssuableContent, 'issuerKey' | 'x5c'> {
  const { path } = options;
  const { issuerDid, credentialData: data, mapping = {}, credentialStatus } = request;
  if (!isText(issuerDid)) throw invalidField(`${path}/issuerDid`, 'is required for a W3C credential');
  if (data === undefined) throw invalidField(`${path}/credentialData`, 'is required');
  const ownTypes = asList(data.type).filter(isText);
  if (ownTypes.length === 0) throw invalidField(`${path}/credentialData/type`, 'must name the types of the credential');
  checkNames(data, mapping, `${path}/credentialData`);
  const { id, format, types, metadata } = findConfiguration(request, ownTypes, options);
  const display = request.display ?? data.display ?? metadata.display;
  checkMapping({ mapping, data, path: `${path}/mapping` });
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

/** Issuer and id that the mapping does not replace have the forms a credential can have. */
function checkNames({ issuer = '', id = '' }: JsonObject, mapping: JsonObject, path: string): void {
  if (mapping.issuer === undefined && typeof issuer !== 'string' && !isObject(issuer))
    throw invalidField(`${path}/issuer`, 'must be a text or an object; its id becomes issuerDid');
  if (mapping.id === undefined && typeof id !== 'string') throw invalidField(`${path}/id`, 'must be a text');
}

function findConfiguration(
  { credentialConfigurationId: given }: IssuanceRequest,
  types: string[],
  { configurations, path }: ReadOptions,
): CredentialConfiguration {
  const id = given ?? `${types.at(-1)}${FORMATS.jwt_vc_json.configurationSuffix}`;
  const found = configurations.get(id);
  if (found) return found;
  const derived = given === undefined ? ' (derived from the last type of credentialData)' : '';
  throw invalidField(
    `${path}/credentialConfigurationId`,
    `this issuer has no credential configuration "${id.slice(0, 200)}"${derived}`,
  );
}

/**
 * The callback of one session: `$id` becomes the session's id wherever it stands.
 * @throws DomainError `BadRequest` naming the header
 */
export function readCallback(template: string, sessionId: string): string {
  const text = template.replaceAll('$id', sessionId);
  if (/^[\x21-\x7e]+$/.test(text) && isCallableUrl(text)) return text;
  throw invalidField('/header/statusCallbackUri', 'must be an http or https URL without credentials');
}
