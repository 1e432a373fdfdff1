import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import { oauthError } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import { readDetails } from '../../oauth/request-parameters.ts';
import type { CodeRedemptionRequest, ProvenClient, RedemptionRequest, RefreshRedemptionRequest } from '../protocol.ts';

/** A token request (RFC 6749 §4.1.3, OpenID4VCI draft 13 §6.1, 1.0 §6.1); other members are ignored. */
export interface TokenRequest {
  grant_type: string;
  'pre-authorized_code'?: string;
  tx_code?: string;
  code?: string;
  redirect_uri?: string;
  code_verifier?: string;
  refresh_token?: string;
  client_id?: string;
  /** JSON (RFC 9396 §5). */
  authorization_details?: string;
}

/** What a token request redeems. */
export type ParsedTokenRequest =
  | { kind: 'pre-authorized'; request: RedemptionRequest }
  | { kind: 'authorization-code'; request: CodeRedemptionRequest };

/** What a token request of 1.0 redeems. */
export type ParsedV1Request = ParsedTokenRequest | { kind: 'refresh-token'; request: RefreshRedemptionRequest };

/** Parses a token request of a draft: details that are not understood are ignored. @throws DomainError with a code of RFC 6749 §5.2 */
export const parseTokenRequest = (request: TokenRequest): ParsedTokenRequest =>
  parse(request, { clientId: textOf(request.client_id) }, () => ({
    configurationIds: configurationsOf(request.authorization_details),
  }));

/** Parses a token request of 1.0. @throws DomainError with a code of RFC 6749 §5.2 or RFC 9396 §14.6 */
export function parseV1TokenRequest(request: TokenRequest, client: ProvenClient): ParsedV1Request {
  if (request.grant_type !== REFRESH_TOKEN)
    return parse(request, client, () => ({
      configurationIds: knownConfigurationsOf(request.authorization_details),
      refusesUnknown: true,
    }));
  const refreshToken = textOf(request.refresh_token);
  if (refreshToken === undefined) throw oauthError('invalid_request', 'refresh_token is required');
  return { kind: 'refresh-token', request: { refreshToken, client, event: eventOf(request, client) } };
}

const REFRESH_TOKEN = 'refresh_token';

type RequestedConfigurations = Pick<RedemptionRequest, 'configurationIds' | 'refusesUnknown'>;

function parse(request: TokenRequest, client: ProvenClient, wanted: () => RequestedConfigurations): ParsedTokenRequest {
  const { grant_type, 'pre-authorized_code': code, tx_code } = request;
  const event = eventOf(request, client);
  if (grant_type === OPENID4VCI.AUTHORIZATION_CODE)
    return { kind: 'authorization-code', request: { ...parseCodeRequest(request), client, event } };
  if (grant_type !== OPENID4VCI.PRE_AUTHORIZED)
    throw oauthError('unsupported_grant_type', `grant_type must be ${OPENID4VCI.PRE_AUTHORIZED} or authorization_code`);
  if (!isText(code)) throw oauthError('invalid_request', 'pre-authorized_code is required');
  return { kind: 'pre-authorized', request: { code, txCode: textOf(tx_code), ...wanted(), client, event } };
}

const textOf = (value: unknown): string | undefined => (isText(value) ? value : undefined);

/** The data of the event `requested_token`. */
const eventOf = ({ grant_type }: TokenRequest, { clientId }: ProvenClient): JsonObject => ({
  grant_type,
  client_id: clientId,
});

function parseCodeRequest({ code, redirect_uri, code_verifier }: TokenRequest) {
  if (!isText(code)) throw oauthError('invalid_request', 'code is required');
  return { code, redirectUri: textOf(redirect_uri), verifier: textOf(code_verifier) };
}

/** The configurations that authorization details name; details of other types are ignored. */
function configurationsOf(text: string | undefined): string[] {
  const details = asList(isText(text) ? parseJson(text) : undefined).filter(isObject);
  const ids = details.flatMap(({ type, credential_configuration_id: id }) =>
    type === OPENID4VCI.AUTHORIZATION_DETAIL ? [id] : [],
  );
  return [...new Set(ids.filter(isText))];
}

function knownConfigurationsOf(text: string | undefined): string[] {
  const details = readDetails(textOf(text), [OPENID4VCI.AUTHORIZATION_DETAIL]) ?? [];
  const ids = details.map(({ credential_configuration_id: id }, index) => {
    if (isText(id)) return id;
    const description = `authorization_details: [${index}].credential_configuration_id is required`;
    throw oauthError('invalid_authorization_details', description);
  });
  return [...new Set(ids)];
}
