import type { JsonObject } from '../../foundation/json.ts';
import { ENCRYPTION } from '../../jose/encryption-algorithms.ts';
import { publishedKey } from '../../keys/message-keys.ts';
import { LOGIN_REQUEST } from '../../presentation/login-requests.ts';
import type { FetchedRequest, OpenSession, RequestTools, ResponseMode, V1Request } from '../protocol.ts';
import { signRequestObject, unsecuredRequestObject, walletLink } from './request-object.ts';

/** The protocols of requests over the Digital Credentials API (annex A.1). */
const DC_API_PROTOCOLS = { signed: 'openid4vp-v1-signed', unsigned: 'openid4vp-v1-unsigned' } as const;

/** How the wallet responds to a request of a session. */
export const RESPONSE_MODES = {
  link: { plain: 'direct_post', encrypted: 'direct_post.jwt' },
  page: { plain: 'dc_api', encrypted: 'dc_api.jwt' },
} as const satisfies Record<string, Record<string, ResponseMode>>;

/** What the wallet responds with: presentations, and where a login is asked for an ID token. */
export const responseTypeOf = ({ login }: V1Request): string => (login ? LOGIN_REQUEST.RESPONSE_TYPE : 'vp_token');

/** The parameters of a request as JSON (§5.1, annex A.2). */
export function requestParameters(request: V1Request): JsonObject {
  const { clientId, responseUri, state, nonce, dcqlQuery, transactionData, verifierInfo, login } = request;
  return withoutUndefined({
    response_type: responseTypeOf(request),
    client_id: clientId,
    response_mode: request.responseMode,
    response_uri: responseUri,
    scope: login?.scope,
    id_token_type: login?.tokenType,
    state,
    nonce,
    dcql_query: dcqlQuery,
    client_metadata: clientMetadata(request),
    transaction_data: transactionData,
    verifier_info: verifierInfo,
    expected_origins: request.isSigned ? request.expectedOrigins : undefined,
  });
}

/** What the wallet learns of the verifier: where responses are encrypted, the session's key and both algorithms (§8.3). */
function clientMetadata({ clientMetadata: metadata, responseKey }: V1Request): JsonObject {
  if (!responseKey) return metadata;
  return {
    ...metadata,
    jwks: { keys: [publishedKey(responseKey)] },
    encrypted_response_enc_values_supported: ENCRYPTION.ENC,
  };
}

const withoutUndefined = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));

/** A link that contains the whole request. */
export const requestLink = (request: V1Request): string =>
  walletLink(request.walletUrl ?? '', Object.entries(requestParameters(request)));

/** A link by which a wallet fetches the request (§5.7); a signed one by POST, so that it repeats a nonce (§5.10). */
export const referenceLink = ({ walletUrl = '', clientId = '', isSigned }: V1Request, requestUri: string): string =>
  walletLink(walletUrl, [
    ['client_id', clientId],
    ['request_uri', requestUri],
    ...(isSigned ? [['request_uri_method', 'post'] satisfies [string, string]] : []),
  ]);

/** The request of a session; a signed one is signed anew for each call. @throws as `RequestTools.signer` and `Signer.sign` */
export async function fetchedRequest(
  { request }: OpenSession<'v1'>,
  { now, walletNonce, signer }: RequestTools,
): Promise<FetchedRequest> {
  const { signing, expiresAt, clientId = '', walletUrl } = request;
  const json = requestParameters(request);
  const object = { parameters: { ...json, client_id: clientId }, now, expiresAt, walletNonce };
  const signed = signing && (await signRequestObject(object, await signer()));
  if (walletUrl === undefined) return { json: dcApiRequest(json, signed) };
  return signed === undefined ? { json, unsecured: unsecuredRequestObject(object) } : { signed };
}

/** What a page passes to `navigator.credentials.get` (annex A.1): the parameters, or the signed request. */
function dcApiRequest(parameters: JsonObject, signed: string | undefined): JsonObject {
  const protocol = signed === undefined ? DC_API_PROTOCOLS.unsigned : DC_API_PROTOCOLS.signed;
  const data = signed === undefined ? parameters : { request: signed };
  return { digital: { requests: [{ protocol, data }] } };
}
