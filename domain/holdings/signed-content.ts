import type { Signer } from '../../ports/key-service.ts';
import { base64url, fromBase64url, fromUtf8 } from '../foundation/bytes.ts';
import { at, invalidField } from '../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import { isSameKey } from '../jose/jwk.ts';
import { signEncoded } from '../jose/jws.ts';
import { KEY_TYPES } from '../jose/key-types.ts';
import { readCallerJwk, readJson } from './caller-keys.ts';

/** A key that signs for its owner. */
interface SigningKey {
  signer: Signer;
  /** What a JWS names it by. */
  kid: string;
  /** Whether a header may name it by another text. */
  isNamed(kid: string): Promise<boolean>;
}

/**
 * Signs any JSON as a compact JWS, or the input of a flattened JWS (RFC 7515 §7.2.2) with its own header.
 * @throws DomainError `BadRequest` naming the member of the header
 */
export async function signContent(content: unknown, key: SigningKey): Promise<string> {
  const { header, payload } = isFlattened(content)
    ? await readFlattened(content, key)
    : { header: { typ: 'JWT', kid: key.kid }, payload: base64url(JSON.stringify(content)) };
  return signEncoded(header, payload, key.signer);
}

interface Flattened {
  protected: unknown;
  payload: unknown;
}

const isFlattened = (content: unknown): content is Flattened & JsonObject =>
  isObject(content) && Object.keys(content).length === 2 && 'protected' in content && 'payload' in content;

async function readFlattened(
  { protected: head, payload }: Flattened,
  { kid, signer, isNamed: isName }: SigningKey,
): Promise<{ header: JsonObject; payload: string }> {
  const header = at(['protected'], () => readHeader(head, signer));
  const stated = header.kid;
  if (stated !== undefined && !(isText(stated) && (await isName(stated))))
    throw invalidField(['protected', 'kid'], 'is not the key that signs');
  const isNamed = stated !== undefined || header.jwk !== undefined;
  return { header: isNamed ? header : { ...header, kid }, payload: encodePayload(payload, isText(head)) };
}

function readHeader(head: unknown, { keyType, publicJwk }: Signer): JsonObject {
  const header = isText(head) ? decodeHeader(head) : head;
  if (!isObject(header)) throw invalidField([], 'must be a JSON object, or one as base64url text');
  const { alg } = KEY_TYPES[keyType];
  if (header.alg !== undefined && header.alg !== alg)
    throw invalidField(['alg'], `must be ${alg}, as the key is ${keyType}`);
  for (const name of ['crit', 'b64']) if (name in header) throw invalidField([name], 'is not supported');
  if (header.jwk !== undefined && !at(['jwk'], () => isSameKey(readCallerJwk(header.jwk), publicJwk)))
    throw invalidField(['jwk'], 'is not the key that signs');
  return header;
}

function decodeHeader(text: string): unknown {
  const bytes = fromBase64url(text);
  return bytes && readJson(fromUtf8(bytes));
}

/** The payload of a flattened JWS is base64url text where its header is. */
function encodePayload(payload: unknown, isEncoded: boolean): string {
  if (!isEncoded) return base64url(JSON.stringify(payload));
  if (typeof payload === 'string' && fromBase64url(payload)) return payload;
  throw invalidField(['payload'], 'must be base64url text, as the header is');
}
