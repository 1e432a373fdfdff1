import type { FormatName } from '../../../ports/credential-formats.ts';
import { invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { ENCRYPTION } from '../../jose/encryption-algorithms.ts';
import { publishedKey } from '../../keys/message-keys.ts';
import { readWalletUrl } from '../../network/urls.ts';
import { REQUEST_NAMES } from '../../presentation/request-parameters.ts';
import type { VerificationRequest } from '../verification-session.ts';
import type { VerifierProfile } from '../verifier-profile.ts';
import { type MadeParameter, PROFILES, type RequestProfile } from './draft20-profiles.ts';

/** What wallets sign presentations with, by format: few algorithms, since the link becomes a QR code. */
const VP_FORMATS: Readonly<Record<FormatName, JsonObject>> = {
  jwt_vc_json: { jwt_vp_json: { alg: ['ES256', 'EdDSA', 'ES256K'] } },
  'vc+sd-jwt': { 'vc+sd-jwt': { 'sd-jwt_alg_values': ['ES256', 'EdDSA'], 'kb-jwt_alg_values': ['ES256', 'EdDSA'] } },
  'dc+sd-jwt': { 'dc+sd-jwt': { 'sd-jwt_alg_values': ['ES256', 'EdDSA'], 'kb-jwt_alg_values': ['ES256', 'EdDSA'] } },
  mso_mdoc: { mso_mdoc: { alg: ['ES256', 'ES384', 'ES512', 'EdDSA'] } },
};

/** Sessions of versions before 0.7.0 name neither profile nor formats. */
const EARLIER_FORMATS: FormatName[] = ['jwt_vc_json'];

/** The metadata of the verifier (OpenID4VP draft 20 §9, JARM for encrypted responses). */
function clientMetadata({ formats = EARLIER_FORMATS, responseKey }: VerificationRequest): JsonObject {
  const vpFormats = Object.assign({}, ...formats.map((format) => VP_FORMATS[format] ?? { [format]: {} }));
  if (!responseKey) return { vp_formats: vpFormats };
  return {
    vp_formats: vpFormats,
    authorization_encrypted_response_alg: ENCRYPTION.ALG,
    authorization_encrypted_response_enc: 'A256GCM',
    jwks: { keys: [publishedKey(responseKey)] },
  };
}

/** A session's request, as it was stored. */
export interface StoredRequest {
  profile: VerifierProfile;
  state: string;
  request: VerificationRequest;
}

/** How each parameter of a request is made (OpenID4VP draft 20 §5). */
const PARAMETERS: Readonly<Record<MadeParameter, (stored: StoredRequest) => unknown>> = {
  response_type: () => 'vp_token',
  client_id: ({ request }) => request.clientId,
  client_id_scheme: ({ profile, request }) => profileOf(request).client(profile, request.responseUri).scheme,
  response_mode: ({ request }) => request.responseMode ?? 'direct_post',
  response_uri: ({ request }) => request.responseUri,
  redirect_uri: ({ request }) => request.responseUri,
  state: ({ state }) => state,
  nonce: ({ request }) => request.nonce,
  scope: () => 'openid',
  presentation_definition: ({ request }) => request.query.definition,
  presentation_definition_uri: ({ profile, state }) => `${profile.baseUrl}/pd/${encodeURIComponent(state)}`,
  request_uri: ({ profile, state }) => `${profile.baseUrl}/request/${encodeURIComponent(state)}`,
  client_metadata: ({ request }) => clientMetadata(request),
};

const profileOf = ({ requestProfile = 'DEFAULT' }: VerificationRequest): RequestProfile => PROFILES[requestProfile];

/** What a link is made of; with `definitionByValue` it has the definition itself in place of its URL. */
export interface LinkParts extends StoredRequest {
  definitionByValue?: boolean;
}

/** The link for a wallet: the parameters that its profile has there, in its order, JSON as text. */
export function requestUrl(authorizeBaseUrl: string, { definitionByValue, ...stored }: LinkParts): string {
  const parameters = profileOf(stored.request).link.map((parameter): [string, string] => {
    const isReplaced = definitionByValue && parameter === 'presentation_definition_uri';
    const name = isReplaced ? 'presentation_definition' : parameter;
    const value = PARAMETERS[name](stored);
    return [name, typeof value === 'string' ? value : JSON.stringify(value)];
  });
  return `${authorizeBaseUrl}${separator(authorizeBaseUrl)}${new URLSearchParams(parameters)}`;
}

/** The parameters of the request object; undefined when the profile has none. */
export function requestObjectParameters(stored: StoredRequest): (JsonObject & { client_id: string }) | undefined {
  const { object } = profileOf(stored.request);
  if (!object) return undefined;
  const parameters = Object.fromEntries(object.map((name): [string, unknown] => [name, PARAMETERS[name](stored)]));
  return { ...parameters, client_id: stored.request.clientId };
}

function separator(base: string): string {
  if (!base.includes('?')) return '?';
  return /[?&]$/.test(base) ? '' : '&';
}

/**
 * Reads the start of a request URL. A wallet reads the first or the last of two parameters of one name, so it may not
 * have any parameter of a request. @throws DomainError `BadRequest`
 */
export function readAuthorizeBaseUrl(text: string): string {
  const base = readWalletUrl(text);
  const [, ...query] = base.split('?');
  const names = [...new URLSearchParams(query.join('?')).keys()].map((name) => name.trim().toLowerCase());
  const taken = names.find((name) => REQUEST_NAMES.has(name));
  if (taken !== undefined) throw invalidField([], `may not bring ${taken}, which is a parameter of the request itself`);
  return base;
}
