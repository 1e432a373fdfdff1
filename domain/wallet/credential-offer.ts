import { DomainError, invalidField } from '../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { checkDocumentSize } from '../network/document-bounds.ts';
import { parseDeepLink } from './deep-link.ts';

/** A credential offer (OpenID4VCI draft 13 §4.1.1) with what a wallet needs of it. */
export interface ParsedOffer {
  issuer: string;
  configurationIds: string[];
  preAuthorizedCode?: string;
  /** The parameter by which the token request must bring a transaction code, if it must. */
  txCodeName?: 'tx_code' | 'user_pin';
  authorizationServer?: string;
  /** The offer as it came. */
  json: JsonObject & { credential_issuer: string };
}

/** Where an offer link says the offer is: in itself or at a URL. */
export type OfferSource = { json: unknown } | { url: string };

const OFFER_NAMES: ReadonlySet<string> = new Set(['credential_offer', 'credential_offer_uri']);
const PRE_AUTHORIZED = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';
const MAX_CONFIGURATIONS = 32;

/** Reads an offer link. @throws DomainError `BadRequest` */
export function readOfferLink(text: string): OfferSource {
  const { params } = parseDeepLink(text, OFFER_NAMES);
  const [value, url] = [params.get('credential_offer'), params.get('credential_offer_uri')];
  if (isText(value) === isText(url)) throw invalidField([], 'needs either credential_offer or credential_offer_uri');
  if (isText(url)) return { url };
  checkDocumentSize('credential-offer', value ?? '');
  return { json: parseJson(value ?? '') };
}

/** Reads an offer; ids may also be under the name of older drafts, `credentials`. @throws DomainError `BadRequest` */
export function readOffer(json: unknown): ParsedOffer {
  if (!isObject(json)) throw new DomainError('BadRequest', 'The credential offer is not a JSON object');
  const { credential_issuer: issuer, credential_configuration_ids: ids = json.credentials } = json;
  if (!isText(issuer)) throw new DomainError('BadRequest', 'The credential offer names no credential_issuer');
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > MAX_CONFIGURATIONS || !ids.every(isText))
    throw new DomainError('BadRequest', 'The credential offer needs 1 to 32 credential_configuration_ids');
  return {
    issuer,
    configurationIds: [...new Set(ids)],
    ...readGrant(json.grants),
    json: { ...json, credential_issuer: issuer },
  };
}

function readGrant(grants: unknown): Pick<ParsedOffer, 'authorizationServer' | 'preAuthorizedCode' | 'txCodeName'> {
  const grant = isObject(grants) ? grants[PRE_AUTHORIZED] : undefined;
  if (!isObject(grant)) return {};
  const { 'pre-authorized_code': code, authorization_server: server } = grant;
  return {
    ...(isText(code) && { preAuthorizedCode: code }),
    ...(isText(server) && { authorizationServer: server }),
    ...(isObject(grant.tx_code) && { txCodeName: 'tx_code' }),
    ...(grant.user_pin_required === true && { txCodeName: 'user_pin' }),
  };
}

/** The form of a token request for a pre-authorized code (OpenID4VCI draft 13 §6.1). @throws DomainError `BadRequest` */
export function tokenForm({ preAuthorizedCode, txCodeName }: ParsedOffer, txCode = ''): Record<string, string> {
  if (preAuthorizedCode === undefined)
    throw new DomainError('BadRequest', 'The offer has no pre-authorized code; other grants are not supported');
  if (txCodeName && txCode === '') throw invalidField(['txCode'], 'the offer asks for a transaction code');
  return {
    grant_type: PRE_AUTHORIZED,
    'pre-authorized_code': preAuthorizedCode,
    ...(txCodeName && { [txCodeName]: txCode }),
  };
}
