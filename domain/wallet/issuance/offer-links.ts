import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import { DomainError, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import { checkDocumentSize } from '../../network/document-bounds.ts';
import { parseDeepLink } from '../deep-link.ts';

/** A credential offer (OpenID4VCI draft 13 §4.1.1), as far as a wallet reads it. */
export interface ParsedOffer {
  issuer: string;
  configurationIds: string[];
  preAuthorizedCode?: string;
  /** The parameter of the token request for the transaction code, when one is required. */
  txCodeName?: 'tx_code' | 'user_pin';
  /** How the transaction code looks, as the issuer describes it. */
  txCode?: JsonObject;
  /** Of the grant `authorization_code`: binds the authorization to the offer (OpenID4VCI 1.0 §5.1.3). */
  issuerState?: string;
  /** Of the grant that is used, which is the pre-authorized code where there is one. */
  authorizationServer?: string;
  /** The whole offer. */
  json: JsonObject & { credential_issuer: string };
}

/** An offer in its link, or the URL of one. */
type OfferSource = { json: unknown } | { url: string };

const OFFER_NAMES: ReadonlySet<string> = new Set(['credential_offer', 'credential_offer_uri']);
const MAX_CONFIGURATIONS = 32;

/** Parses an offer link. @throws DomainError `BadRequest` */
export function parseOfferLink(text: string): OfferSource {
  const { params } = parseDeepLink(text, OFFER_NAMES);
  const [value, url] = [params.get('credential_offer'), params.get('credential_offer_uri')];
  if (isText(value) === isText(url)) throw invalidField([], 'needs either credential_offer or credential_offer_uri');
  if (isText(url)) return { url };
  checkDocumentSize('credential-offer', value ?? '');
  return { json: parseJson(value ?? '') };
}

/** Parses an offer; `credentials` is the name of the ids in older drafts. @throws DomainError `BadRequest` */
export function parseOffer(json: unknown): ParsedOffer {
  if (!isObject(json)) throw new DomainError('BadRequest', 'The credential offer is not a JSON object');
  const { credential_issuer: issuer, credential_configuration_ids: ids = json.credentials } = json;
  if (!isText(issuer)) throw new DomainError('BadRequest', 'The credential offer names no credential_issuer');
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > MAX_CONFIGURATIONS || !ids.every(isText))
    throw new DomainError('BadRequest', 'The credential offer needs 1 to 32 credential_configuration_ids');
  return {
    issuer,
    configurationIds: [...new Set(ids)],
    ...parseGrant(json.grants),
    json: { ...json, credential_issuer: issuer },
  };
}

type Grant = Pick<ParsedOffer, 'authorizationServer' | 'preAuthorizedCode' | 'txCodeName' | 'txCode' | 'issuerState'>;

function parseGrant(grants: unknown): Grant {
  const named = isObject(grants) ? grants : {};
  const { [OPENID4VCI.PRE_AUTHORIZED]: grant, [OPENID4VCI.AUTHORIZATION_CODE]: other } = named;
  const { 'pre-authorized_code': code, tx_code: txCode, user_pin_required: needsPin, ...rest } = objectOf(grant);
  if (!isText(code)) {
    const { authorization_server: server, issuer_state: state } = objectOf(other);
    return { ...(isText(state) && { issuerState: state }), ...(isText(server) && { authorizationServer: server }) };
  }
  return {
    preAuthorizedCode: code,
    ...(isText(rest.authorization_server) && { authorizationServer: rest.authorization_server }),
    ...(isObject(txCode) && { txCodeName: 'tx_code', txCode }),
    ...(needsPin === true && { txCodeName: 'user_pin', txCode: {} }),
  };
}

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
