import { invalidField } from '../../foundation/errors.ts';
import { readWalletUrl } from '../../network/urls.ts';
import { REQUEST_NAMES, type RequestParameter } from '../../presentation/request-parameters.ts';
import type { RequestedCredential } from '../requested-credentials.ts';
import type { VerifierProfile } from '../verifier-profile.ts';

/** Who asks in one request, whom the presentation must be meant for, and where the wallet posts its response. */
export interface RequestParties {
  clientId: string;
  audience: string;
  responseUri: string;
}

/** The parties of a session's request; the audience of a presentation is the client id (OpenID4VP draft 20 §5.7, §7.5). */
export function requestParties({ baseUrl, client }: VerifierProfile, state: string): RequestParties {
  const responseUri = `${baseUrl}/verify/${encodeURIComponent(state)}`;
  const clientId = client.scheme === 'redirect_uri' ? responseUri : client.id;
  return { clientId, audience: clientId, responseUri };
}

/** What a request for a wallet is created from. */
export interface NewRequest extends Omit<RequestParties, 'audience'> {
  authorizeBaseUrl: string;
  profile: VerifierProfile;
  state: string;
  nonce: string;
}

/**
 * The algorithms that wallets commonly sign with, named once because the URL becomes a QR code; the algorithms of
 * credentials are those of the definition.
 */
const CLIENT_METADATA = JSON.stringify({ vp_formats: { jwt_vp_json: { alg: ['ES256', 'EdDSA', 'ES256K'] } } });

/** The request as parameters of a link for the wallet (OpenID4VP draft 20 §5, direct_post). */
function requestUrl({ authorizeBaseUrl, profile, state, nonce, clientId, responseUri }: NewRequest): string {
  const parameters: [RequestParameter, string][] = [
    ['response_type', 'vp_token'],
    ['client_id', clientId],
    ['response_mode', 'direct_post'],
    ['state', state],
    ['presentation_definition_uri', `${profile.baseUrl}/pd/${encodeURIComponent(state)}`],
    ['client_id_scheme', profile.client.scheme],
    ['client_metadata', CLIENT_METADATA],
    ['nonce', nonce],
    ['response_uri', responseUri],
  ];
  return `${authorizeBaseUrl}${separator(authorizeBaseUrl)}${new URLSearchParams(parameters)}`;
}

function separator(base: string): string {
  if (!base.includes('?')) return '?';
  return /[?&]$/.test(base) ? '' : '&';
}

/** A profile of requests; one that cannot create its request is known and not supported. */
interface RequestProfile {
  createRequest?: (request: NewRequest) => string;
}

/** The profiles by name (interface: Headers of `POST /openid4vc/verify`). */
export const PROFILES: Readonly<Record<string, RequestProfile>> = {
  DEFAULT: { createRequest: requestUrl },
  ISO_18013_7_MDOC: {},
  EBSIV3: {},
  HAIP: {},
};

/** Returns what creates the requests of a profile. @throws DomainError `BadRequest` for one that is unknown or not supported */
export function requestCreator(profile: string): (request: NewRequest) => string {
  const name = profile.toUpperCase();
  const known = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined;
  if (known?.createRequest) return known.createRequest;
  const why = known ? 'is not supported by this verifier' : 'is not a profile';
  throw invalidField([], `${profile.slice(0, 64)} ${why}; use DEFAULT`);
}

/** The profile of a request that names none: the scheme of the wallet's URL decides. */
export function impliedProfile(authorizeBaseUrl: string): string {
  if (/^mdoc-openid4vp:\/\//i.test(authorizeBaseUrl)) return 'ISO_18013_7_MDOC';
  return /^haip:\/\//i.test(authorizeBaseUrl) ? 'HAIP' : 'DEFAULT';
}

const RESPONSE_MODES = ['query', 'fragment', 'form_post', 'direct_post', 'direct_post.jwt', 'direct_post_jwt', 'post'];

/** @throws DomainError `BadRequest` for a response mode that is unknown or not supported */
export function checkResponseMode(mode: string): void {
  if (mode === 'direct_post') return;
  const why = RESPONSE_MODES.includes(mode) ? 'is not supported by this verifier' : 'is not a response mode';
  throw invalidField([], `${mode.slice(0, 64)} ${why}; use direct_post`);
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

/** A request of this version asks for credentials of one format. @throws DomainError `BadRequest` */
export function checkFormatsAgree(credentials: readonly Pick<RequestedCredential, 'format'>[]): void {
  if (new Set(credentials.map(({ format }) => format)).size > 1)
    throw invalidField([], 'all credentials of one request must have the same format');
}

/** The form that a wallet posts to the response URI (OpenID4VP draft 20 §6.2, §6.4). */
export interface ResponseForm {
  vp_token?: string;
  presentation_submission?: string;
  state?: string;
  error?: string;
  error_description?: string;
  error_uri?: string;
}

/** The error that a wallet returns instead of a presentation. */
export type WalletError = Pick<ResponseForm, 'error_description' | 'error_uri'> & { error: string };

/** A wallet's response: the texts of a presentation, or an error. */
export type WalletResponse = { vpToken: string; submission: string } | { refusal: WalletError };

/** Parses the response to the request with this state. @throws DomainError `BadRequest` naming the parameter */
export function parseResponse(form: ResponseForm, state: string): WalletResponse {
  if (form.state !== undefined && form.state !== state) throw invalidField(['state'], 'is that of another session');
  const { error, error_description: description, error_uri: uri } = form;
  if (error !== undefined) {
    const more = { ...(description !== undefined && { error_description: description }) };
    return { refusal: { error, ...more, ...(uri !== undefined && { error_uri: uri }) } };
  }
  const { vp_token: vpToken, presentation_submission: submission } = form;
  if (vpToken === undefined) throw invalidField(['vp_token'], 'is required');
  if (submission === undefined) throw invalidField(['presentation_submission'], 'is required');
  return { vpToken, submission };
}
