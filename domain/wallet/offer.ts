import { DomainError } from '../errors.ts';
import { isObject, isText, type JsonObject, parseJson } from '../json.ts';
import { parseDeepLink } from './deep-link.ts';

/** A credential offer (OpenID4VCI draft 13 §4.1.1) with what a wallet needs of it. */
export interface CredentialOffer {
  issuer: string;
  configurationIds: string[];
  preAuthorizedCode?: string;
  /** The token request must bring a transaction code. */
  needsTxCode: boolean;
  authorizationServer?: string;
  /** The offer as it came. */
  json: JsonObject;
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
  if (isText(value) === isText(url))
    throw new DomainError('BadRequest', '/body: needs either credential_offer or credential_offer_uri');
  return isText(url) ? { url } : { json: parseJson(value ?? '') };
}

/** Reads an offer; ids may also be under the name of older drafts, `credentials`. @throws DomainError `BadRequest` */
export function readOffer(json: unknown): CredentialOffer {
  if (!isObject(json)) throw new DomainError('BadRequest', 'The credential offer is not a JSON object');
  const { credential_issuer: issuer, credential_configuration_ids: ids = json.credentials } = json;
  if (!isText(issuer)) throw new DomainError('BadRequest', 'The credential offer names no credential_issuer');
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > MAX_CONFIGURATIONS || !ids.every(isText))
    throw new DomainError('BadRequest', 'The credential offer needs 1 to 32 credential_configuration_ids');
  return { issuer, configurationIds: [...new Set(ids)], ...readGrant(json.grants), json };
}

function readGrant(grants: unknown): Pick<CredentialOffer, 'authorizationServer' | 'needsTxCode' | 'preAuthorizedCode'> {
  const grant = isObject(grants) ? grants[PRE_AUTHORIZED] : undefined;
  if (!isObject(grant)) return { needsTxCode: false };
  const { 'pre-authorized_code': code, tx_code: txCode, user_pin_required: pin, authorization_server: server } = grant;
  return {
    needsTxCode: isObject(txCode) || pin === true,
    ...(isText(code) && { preAuthorizedCode: code }),
    ...(isText(server) && { authorizationServer: server }),
  };
}

/** The form of a token request for a pre-authorized code (OpenID4VCI draft 13 §6.1). @throws DomainError `BadRequest` */
export function tokenForm(offer: CredentialOffer, txCode: string | undefined): Record<string, string | undefined> {
  const { preAuthorizedCode, needsTxCode } = offer;
  if (preAuthorizedCode === undefined)
    throw new DomainError('BadRequest', 'The offer has no pre-authorized code; other grants are not supported');
  if (needsTxCode && !isText(txCode))
    throw new DomainError('BadRequest', '/query/pinOrTxCode: the offer asks for a transaction code');
  const code = needsTxCode ? txCode : undefined;
  return { grant_type: PRE_AUTHORIZED, 'pre-authorized_code': preAuthorizedCode, tx_code: code, user_pin: code };
}
