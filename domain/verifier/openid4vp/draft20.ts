import type { Handover } from '../../../ports/credential-formats.ts';
import { fromBase64url, utf8Text } from '../../foundation/bytes.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import type { DecryptedResponse, ResponseEncryption } from '../response-encryption.ts';
import type { VerificationRequest } from '../verification-session.ts';

/** The parameters of a wallet's response (OpenID4VP draft 20 §6.1, §6.4). */
export interface ResponseParameters {
  vp_token?: string;
  presentation_submission?: string;
  state?: string;
  error?: string;
  error_description?: string;
  error_uri?: string;
}

/** The form that a wallet posts to the response URI: the parameters, or encrypted ones (OpenID4VP draft 20 §6.2, §6.3.1). */
export interface ResponseForm extends ResponseParameters {
  /** A JWE of the parameters. */
  response?: string;
}

/** The error that a wallet returns instead of a presentation. */
export type WalletError = Pick<ResponseParameters, 'error_description' | 'error_uri'> & { error: string };

/** The texts of presentations. */
export interface PresentationResponse {
  vpToken: string;
  submission: string;
  /** What session transcripts are made for (ISO/IEC TS 18013-7 B.4.4); absent when an encrypted response has no `apu`. */
  handover?: Handover;
}

/** A wallet's response: a presentation, or an error. */
export type WalletResponse = PresentationResponse | { refusal: WalletError };

/** The request that a response answers, and what decrypts it. */
export interface ResponseContext {
  request: Pick<VerificationRequest, 'responseKey' | 'clientId' | 'responseUri' | 'nonce'>;
  state: string;
  encryption: Pick<ResponseEncryption, 'decrypt'>;
}

/**
 * Parses a response. One that was to be encrypted is refused in the clear, but for errors, which a wallet may send
 * before it can encrypt. @throws DomainError `BadRequest` naming the parameter
 */
export async function parseResponse(form: ResponseForm, context: ResponseContext): Promise<WalletResponse> {
  const { request, state, encryption } = context;
  const { response, ...plain } = form;
  const { responseKey: key, clientId, responseUri, nonce } = request;
  const handover = { kind: 'draft', clientId, responseUri, nonce } as const;
  if (!key) {
    if (response !== undefined) throw invalidField(['response'], 'was not asked for: the request is for direct_post');
    return { handover, ...parseParameters(plain, state) };
  }
  if (response === undefined) {
    if (plain.error === undefined) throw invalidField(['response'], 'is required: the request is for direct_post.jwt');
    return parseParameters(plain, state);
  }
  if (plain.state !== undefined && plain.state !== state) throw invalidField(['state'], 'is that of another session');
  const decrypted = await at(['response'], () => encryption.decrypt(response, key));
  const parsed = at(['response'], () => parseParameters(decryptedParameters(decrypted.payload), state));
  const mdocNonce = mdocNonceOf(decrypted);
  if ('refusal' in parsed || mdocNonce === undefined) return parsed;
  return { ...parsed, handover: { ...handover, mdocNonce } };
}

/** The names of the parameters, for decrypted ones. */
const TEXTS = ['state', 'error', 'error_description', 'error_uri'] as const;
const DOCUMENTS = ['vp_token', 'presentation_submission'] as const;

/** Encrypted parameters are JSON: documents that are no text are written as one, as they stand in a form. */
function decryptedParameters(payload: JsonObject): ResponseParameters {
  const parameters: ResponseParameters = {};
  for (const name of TEXTS) {
    const value = payload[name] ?? undefined;
    if (value !== undefined && typeof value !== 'string') throw invalidField([name], 'must be a text');
    if (value !== undefined) parameters[name] = value;
  }
  for (const name of DOCUMENTS) {
    const value = payload[name] ?? undefined;
    if (value !== undefined) parameters[name] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  return parameters;
}

/** The nonce of the wallet; undefined for an `apu` that is no text, which only other formats can have. */
function mdocNonceOf({ header: { apu } }: DecryptedResponse): string | undefined {
  const bytes = isText(apu) ? fromBase64url(apu) : undefined;
  return bytes?.length ? utf8Text(bytes) : undefined;
}

function parseParameters(form: ResponseParameters, state: string): WalletResponse {
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
