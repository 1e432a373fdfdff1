import type { PublicJwk, Signer } from '../../ports/key-service.ts';
import type { Signatures } from '../../ports/signatures.ts';
import { base64url, fromBase64url, fromUtf8, utf8 } from '../foundation/bytes.ts';
import { DomainError } from '../foundation/errors.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { KEY_TYPES } from './key-types.ts';

/** A parsed compact JWS (RFC 7515 §7.1); its signature is unverified. */
export interface ParsedJws {
  header: JsonObject;
  payload: JsonObject;
  signingInput: Uint8Array;
  signature: Uint8Array;
}

/** A compact JWS of any payload; its signature is unverified. */
type ParsedSignature = Omit<ParsedJws, 'payload'>;

/** The `typ` in the header that a text begins with, unread otherwise; undefined when there is none. */
export function statedType(text: string): unknown {
  try {
    return decodePart(text.split('.', 1)[0] ?? '', 'The token: the header').typ;
  } catch {
    return undefined;
  }
}

/** Parses a compact JWS of any payload by the rules of `parseJws`. @throws DomainError `BadRequest`; its message begins with `name` */
export function parseSignature(text: string, name = 'The token'): ParsedSignature {
  const parts = text.split('.');
  const [head = '', body = '', tail = ''] = parts;
  const signature = fromBase64url(tail);
  if (parts.length !== 3 || signature === undefined)
    throw new DomainError('BadRequest', `${name} is not a compact JWS`);
  const header = decodePart(head, `${name}: the header`);
  if ('crit' in header || 'b64' in header)
    throw new DomainError('BadRequest', `${name}: the header members crit and b64 are not supported`);
  return { header, signingInput: utf8(`${head}.${body}`), signature };
}

/**
 * Parses a compact JWS. Each token has exactly one accepted text: canonical base64url, no duplicate members. The header
 * members `crit` (RFC 7515 §4.1.11) and `b64` (RFC 7797) are rejected, since no extension is supported. The payload has
 * at most `most` values and names. @throws DomainError `BadRequest`; its message begins with `name`
 */
export function parseJws(text: string, name = 'The token', most?: number): ParsedJws {
  const parsed = parseSignature(text, name);
  return { payload: decodePart(text.split('.')[1] ?? '', `${name}: the payload`, most), ...parsed };
}

function decodePart(text: string, what: string, most?: number): JsonObject {
  const bytes = fromBase64url(text);
  if (bytes === undefined || bytes.length === 0)
    throw new DomainError('BadRequest', `${what} is not canonical base64url`);
  try {
    const value = parseJson(fromUtf8(bytes), most);
    if (isObject(value)) return value;
  } catch (cause) {
    throw new DomainError(
      'BadRequest',
      `${what} is not acceptable JSON: ${cause instanceof DomainError ? cause.message : ''}`,
      { cause },
    );
  }
  throw new DomainError('BadRequest', `${what} is not a JSON object`);
}

/** Signs a compact JWS with the algorithm of the key's type. */
export const signJws = (header: JsonObject, payload: JsonObject, signer: Signer): Promise<string> =>
  signEncoded(header, base64url(JSON.stringify(payload)), signer);

/** Signs a payload that is base64url text already. */
export async function signEncoded(header: JsonObject, payload: string, signer: Signer): Promise<string> {
  const protectedHeader = { alg: KEY_TYPES[signer.keyType].alg, ...header };
  const input = `${base64url(JSON.stringify(protectedHeader))}.${payload}`;
  return `${input}.${base64url(await signer.sign(utf8(input)))}`;
}

/** Whether the JWS is signed by `jwk` with an algorithm that fits the key. */
export function verifyJws(jws: ParsedSignature, jwk: PublicJwk, signatures: Signatures): Promise<boolean> {
  const { alg } = jws.header;
  if (typeof alg !== 'string') return Promise.resolve(false);
  return signatures.verify({ alg, jwk, data: jws.signingInput, signature: jws.signature });
}
