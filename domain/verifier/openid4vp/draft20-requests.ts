import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { DomainError, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { ENCRYPTION } from '../../jose/encryption-algorithms.ts';
import { publishedKey } from '../../keys/message-keys.ts';
import { readWalletUrl } from '../../network/urls.ts';
import type { PresentationDefinition } from '../../presentation/exchange/definition.ts';
import { REQUEST_NAMES } from '../../presentation/request-parameters.ts';
import type { Draft20Request, DraftEndpoints, OpenSession, ProfileName, RequestTools } from '../protocol.ts';
import { type MadeParameter, PROFILES, type RequestProfile } from './draft20-profiles.ts';
import { signRequestObject, walletLink } from './request-object.ts';

/** The metadata of the verifier (OpenID4VP draft 20 §9, JARM for encrypted responses). */
export function verifierMetadata(
  { formats: names, responseKey }: Pick<Draft20Request, 'formats' | 'responseKey'>,
  formats: CredentialFormats,
): JsonObject {
  const vpFormats = Object.assign({}, ...names.map((name) => formats.presentable(name).presentation.draftMetadata));
  if (!responseKey) return { vp_formats: vpFormats };
  return {
    vp_formats: vpFormats,
    authorization_encrypted_response_alg: ENCRYPTION.ALG,
    authorization_encrypted_response_enc: 'A256GCM',
    jwks: { keys: [publishedKey(responseKey)] },
  };
}

/** A session's request, as it was stored. */
interface StoredRequest {
  verifier: DraftEndpoints;
  state: string;
  request: Draft20Request;
  formats: CredentialFormats;
}

/** How each parameter of a request is made (OpenID4VP draft 20 §5). */
const PARAMETERS: Readonly<Record<MadeParameter, (stored: StoredRequest) => unknown>> = {
  response_type: () => 'vp_token',
  client_id: ({ request }) => request.clientId,
  client_id_scheme: ({ verifier, request }) => profileOf(request).client(verifier, request.responseUri).scheme,
  response_mode: ({ request }) => request.responseMode ?? 'direct_post',
  response_uri: ({ request }) => request.responseUri,
  redirect_uri: ({ request }) => request.responseUri,
  state: ({ state }) => state,
  nonce: ({ request }) => request.nonce,
  scope: () => 'openid',
  presentation_definition: ({ request }) => request.query.definition,
  presentation_definition_uri: ({ verifier, state }) => `${verifier.baseUrl}/pd/${encodeURIComponent(state)}`,
  request_uri: ({ verifier, state }) => `${verifier.baseUrl}/request/${encodeURIComponent(state)}`,
  client_metadata: ({ request, formats }) => verifierMetadata(request, formats),
};

const profileOf = ({ requestProfile }: Draft20Request): RequestProfile => PROFILES[requestProfile];

/** The definition. */
export const asked = ({ query: { definition } }: Draft20Request): PresentationDefinition => definition;

/** Who asks, whom the presentation must be meant for, and where the wallet posts its response. */
export function parties(
  verifier: DraftEndpoints,
  requestProfile: ProfileName,
  state: string,
): Pick<Draft20Request, 'clientId' | 'audience' | 'responseUri'> {
  const responseUri = `${verifier.baseUrl}/verify/${encodeURIComponent(state)}`;
  // The audience of a presentation is the client id (OpenID4VP draft 20 §7.5).
  const { id: clientId } = PROFILES[requestProfile].client(verifier, responseUri);
  return { clientId, audience: clientId, responseUri };
}

/** What a link is made of; with `definitionByValue` it has the definition itself in place of its URL. */
export interface LinkParts extends StoredRequest {
  definitionByValue?: boolean;
}

/** The link for a wallet: the parameters that its profile has there, in its order, JSON as text. */
export function requestUrl(authorizeBaseUrl: string, { definitionByValue, ...stored }: LinkParts): string {
  const parameters = profileOf(stored.request).link.map((parameter): [string, unknown] => {
    const isReplaced = definitionByValue && parameter === 'presentation_definition_uri';
    const name = isReplaced ? 'presentation_definition' : parameter;
    return [name, PARAMETERS[name](stored)];
  });
  return walletLink(authorizeBaseUrl, parameters);
}

/**
 * The request object of a session, signed anew for each call (OpenID4VP draft 20 §5, RFC 9101).
 * @throws DomainError `NotFound` for a profile without request objects; as `RequestTools.signer`
 */
export async function fetchedRequest(
  { id: state, request, expiresAt }: OpenSession<'draft20'>,
  { now, draft20: verifier, signer, formats }: Pick<RequestTools, 'now' | 'draft20' | 'signer' | 'formats'>,
): Promise<{ signed: string }> {
  const { object, needsCertificate } = profileOf(request);
  if (!object || !verifier || expiresAt === undefined)
    throw new DomainError('NotFound', 'The session has no request object, or it is over');
  const stored = { verifier, state, request, formats };
  const parameters = Object.fromEntries(object.map((name): [string, unknown] => [name, PARAMETERS[name](stored)]));
  const named = { ...parameters, client_id: request.clientId };
  const own = await signer(needsCertificate ? verifier.sanDns : undefined);
  return { signed: await signRequestObject({ parameters: named, now, expiresAt }, own) };
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
