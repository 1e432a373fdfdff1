import type { Handover } from '../../../ports/credential-formats.ts';
import { digest } from '../../foundation/bytes.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { canonicalKey, readPublicJwk } from '../../jose/jwk.ts';
import type { MessageKey } from '../../keys/message-keys.ts';
import { parseIdToken } from '../../oauth/self-issued-tokens.ts';
import type {
  OpenSession,
  ParsedResponse,
  ReceivedParameters,
  ResponseDecryption,
  ResponseTools,
  V1Request,
  WalletRefusal,
} from '../protocol.ts';

/**
 * Parses a response to a request (§8.1–§8.3, annex A.4). One that should be encrypted and is not is refused; an error may
 * come in clear, since a wallet that cannot encrypt must be able to say so.
 * @throws DomainError `BadRequest` naming the parameter
 */
export async function parseResponse(
  received: ReceivedParameters,
  { request }: OpenSession<'v1'>,
  { encryption }: Pick<ResponseTools, 'encryption'>,
): Promise<ParsedResponse> {
  const isFromPage = request.responseUri === undefined;
  if (received.error !== undefined) return { refusal: parseRefusal(received, request) };
  const place = isFromPage ? placeOfData(received) : [];
  const origin = isFromPage ? readOrigin(received.origin, request) : undefined;
  return at(place, async () => {
    const members = membersAt(received, place);
    if (!isObject(members)) throw invalidField([], 'must be an object with the response');
    const response = request.responseKey ? await decrypted(members, request, encryption) : members;
    if (response.error !== undefined) return { refusal: parseRefusal(response, request) };
    checkState(response, request);
    return {
      vpToken: readVpToken(response.vp_token),
      handover: handoverOf(request, origin),
      // An ID token that was not asked for is ignored like any other parameter (RFC 6749 §4.1.2).
      idToken: request.login && at(['id_token'], () => parseIdToken(response.id_token)),
      origin,
    };
  });
}

/** The exchange that session transcripts of a response are made for (§B.2.6). */
function handoverOf({ nonce, clientId = '', responseUri = '', responseKey }: V1Request, origin?: string): Handover {
  const encryptionKey = responseKey ? { encryptionKey: keyThumbprint(responseKey) } : {};
  return origin === undefined
    ? { kind: 'redirect', clientId, responseUri, nonce, ...encryptionKey }
    : { kind: 'dc-api', origin, nonce, ...encryptionKey };
}

/** The SHA-256 thumbprint (RFC 7638) of a session's key, which session transcripts contain. */
export const keyThumbprint = (key: MessageKey): Uint8Array => digest('sha256', canonicalKey(readPublicJwk(key)));

/** Pages send what the browser gave them: a digital credential, or its data. */
export const placeOfData = ({ credential }: ReceivedParameters): string[] =>
  credential === undefined ? ['data'] : ['credential', 'data'];

/** The value at a place of what was received. */
export const membersAt = (received: ReceivedParameters, place: readonly string[]): unknown =>
  place.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), received);

function readOrigin(value: unknown, { expectedOrigins = [] }: V1Request): string | undefined {
  if (value === undefined) return expectedOrigins[0];
  if (isText(value) && expectedOrigins.includes(value)) return value;
  throw invalidField(['origin'], 'is none of the origins that the session expects');
}

async function decrypted(
  { response }: JsonObject,
  { responseKey }: V1Request,
  encryption: ResponseDecryption,
): Promise<JsonObject> {
  if (!isText(response) || !responseKey)
    throw invalidField(['response'], 'is required: the response must be encrypted');
  return (await at(['response'], () => encryption.decrypt(response, responseKey))).payload;
}

/** Parses an error that came instead of a presentation. @throws DomainError `BadRequest` naming the parameter */
export function parseRefusal(response: Readonly<JsonObject>, request: V1Request): WalletRefusal {
  const { error, error_description: description } = response;
  if (!isText(error)) throw invalidField(['error'], 'must be the code of an error');
  checkState(response, request);
  return { error, ...(isText(description) && { description }) };
}

/** A wallet that responds must have read the request. Over the Digital Credentials API there is no state. */
function checkState({ state }: Readonly<JsonObject>, request: V1Request): void {
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
