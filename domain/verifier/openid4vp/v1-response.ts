import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { ParsedJws } from '../../jose/jws.ts';
import { parseIdToken } from '../../oauth/self-issued-tokens.ts';
import type { ResponseEncryption } from '../response-encryption.ts';
import type { SessionRequest } from '../sessions/session.ts';

/** The error that a wallet or a browser returns instead of a presentation (OpenID4VP 1.0 §8.5). */
export interface WalletRefusal {
  error: string;
  description?: string;
}

/** What a wallet presents: its `vp_token` as JSON text. */
export interface ReceivedPresentation {
  vpToken: string;
  /** Only where the request asks for one; its signature is unverified. */
  idToken?: ParsedJws;
  /** The origin of the page, over the Digital Credentials API. */
  origin?: string;
}

/** A response of a wallet: presentations, or an error. */
export type ParsedResponse = ReceivedPresentation | { refusal: WalletRefusal };

/** A response as it arrived: the parameters of a form, or what a page got from the Digital Credentials API. */
export type ReceivedResponse = Readonly<JsonObject>;

/**
 * Parses a response to a request (§8.1–§8.3, annex A.4). One that should be encrypted and is not is refused; an error may
 * come in clear, since a wallet that cannot encrypt must be able to say so.
 * @throws DomainError `BadRequest` naming the parameter
 */
export async function parseResponse(
  received: ReceivedResponse,
  request: SessionRequest,
  encryption: ResponseEncryption,
): Promise<ParsedResponse> {
  const isFromPage = request.responseUri === undefined;
  if (received.error !== undefined) return { refusal: parseRefusal(received, request) };
  const place = isFromPage ? placeOfData(received) : [];
  const origin = isFromPage ? readOrigin(received.origin, request) : undefined;
  return at(place, async () => {
    const members = place.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), received);
    if (!isObject(members)) throw invalidField([], 'must be an object with the response');
    const response = request.responseKey ? await decrypted(members, request, encryption) : members;
    if (response.error !== undefined) return { refusal: parseRefusal(response, request) };
    checkState(response, request);
    // An ID token that was not asked for is ignored like any other parameter (RFC 6749 §4.1.2).
    return {
      vpToken: readVpToken(response.vp_token),
      ...(request.login && { idToken: at(['id_token'], () => parseIdToken(response.id_token)) }),
      ...(origin !== undefined && { origin }),
    };
  });
}

/** Pages send what the browser gave them: a digital credential, or its data. */
export const placeOfData = ({ credential }: ReceivedResponse): string[] =>
  credential === undefined ? ['data'] : ['credential', 'data'];

function readOrigin(value: unknown, { expectedOrigins = [] }: SessionRequest): string | undefined {
  if (value === undefined) return expectedOrigins[0];
  if (isText(value) && expectedOrigins.includes(value)) return value;
  throw invalidField(['origin'], 'is none of the origins that the session expects');
}

async function decrypted(
  { response }: JsonObject,
  { responseKey }: SessionRequest,
  encryption: ResponseEncryption,
): Promise<JsonObject> {
  if (!isText(response) || !responseKey)
    throw invalidField(['response'], 'is required: the response must be encrypted');
  return (await at(['response'], () => encryption.decrypt(response, responseKey))).payload;
}

/** Parses an error that came instead of a presentation. @throws DomainError `BadRequest` naming the parameter */
export function parseRefusal(response: Readonly<JsonObject>, request: SessionRequest): WalletRefusal {
  const { error, error_description: description } = response;
  if (!isText(error)) throw invalidField(['error'], 'must be the code of an error');
  checkState(response, request);
  return { error, ...(isText(description) && { description }) };
}

/** A wallet that responds must have read the request. Over the Digital Credentials API there is no state. */
function checkState({ state }: Readonly<JsonObject>, request: SessionRequest): void {
  if (request.state === undefined) return;
  if (state === undefined) throw invalidField(['state'], 'is required');
  if (state !== request.state) throw invalidField(['state'], 'is not that of the request');
}

/** In a form the token is JSON text, everywhere else an object. */
function readVpToken(token: unknown): string {
  if (isText(token)) return token;
  if (isObject(token)) return JSON.stringify(token);
  throw invalidField(['vp_token'], token === undefined ? 'is required' : 'must be a JSON object');
}
