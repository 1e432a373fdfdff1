import type { Signer } from '../../ports/key-service.ts';
import type { Signatures } from '../../ports/signatures.ts';
import { base64url, fromBase64url, fromUtf8 } from '../foundation/bytes.ts';
import { at, invalidField, isDomainError } from '../foundation/errors.ts';
import type { FieldPath } from '../foundation/field-paths.ts';
import { isObject, isText, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { isSameKey, readPublicJwk, thumbprint } from '../jose/jwk.ts';
import { parseSignature, signEncoded, verifyJws } from '../jose/jws.ts';
import { hasPrivatePart } from '../keys/backends/jwk.ts';
import { KEY_TYPES, keyTypeOf } from '../keys/key-types.ts';
import type { ActivityRecorder } from './activity.ts';
import type { Dids } from './dids.ts';
import type { Keys } from './keys.ts';

/** What `KeySigning` works with. */
export interface KeySigningParts {
  keys: Keys;
  dids: Pick<Dids, 'keyOf'>;
  signatures: Signatures;
  activity: ActivityRecorder;
}

/** A key of a wallet under one of its names. */
export interface NamedKey {
  keyId: string;
  /** What a JWS names it by. */
  kid: string;
}

/** Signs for the user of a wallet, and verifies. */
export class KeySigning {
  readonly #parts: KeySigningParts;

  constructor(parts: KeySigningParts) {
    this.#parts = parts;
  }

  /**
   * Signs any JSON as a compact JWS, or the input of a flattened JWS (RFC 7515 §7.2.2) with its own header. `name` is the
   * id of a key, a DID, or the DID URL of its key. @throws DomainError `NotFound`, `BadRequest` naming the member of the header
   */
  async sign(owner: string, name: string, content: unknown): Promise<string> {
    const { keyId, kid } = await this.#find(owner, name);
    const signer = await this.#parts.keys.signer({ owner, id: keyId });
    const { header, payload } = isFlattened(content)
      ? await this.#readFlattened(content, { owner, keyId, kid, signer })
      : { header: { typ: 'JWT', kid }, payload: base64url(JSON.stringify(content)) };
    const token = await signEncoded(header, payload, signer);
    const reference = await this.#parts.keys.get({ owner, id: keyId });
    await this.#parts.keys.record({ action: 'Sign', owner, id: keyId, reference });
    return token;
  }

  /** Whether a key signed a compact JWS. @throws DomainError `BadRequest` naming `jwk` or `token` */
  async verify(owner: string, { jwk: text, token }: { jwk: string; token: string }): Promise<boolean> {
    const jwk = at(['jwk'], () => readJwkText(text));
    const parsed = named(['token'], () => parseSignature(token.trim()));
    const isValid = await verifyJws(parsed, jwk, this.#parts.signatures);
    const data = { id: thumbprint(jwk), algorithm: keyTypeOf(jwk) };
    await this.#parts.activity.record(owner, { event: 'Key', action: 'Verify', data });
    return isValid;
  }

  #find(owner: string, name: string): Promise<NamedKey> {
    return name.startsWith('did:') ? this.#parts.dids.keyOf(owner, name) : Promise.resolve({ keyId: name, kid: name });
  }

  async #readFlattened(
    { protected: head, payload }: Flattened,
    { owner, keyId, kid, signer }: NamedKey & { owner: string; signer: Signer },
  ): Promise<{ header: JsonObject; payload: string }> {
    const header = at(['protected'], () => readHeader(head, signer));
    const stated = header.kid;
    if (stated !== undefined && !(isText(stated) && (await this.#isNameOf(keyId, owner, stated))))
      throw invalidField(['protected', 'kid'], 'is not the key that signs');
    const isNamed = stated !== undefined || header.jwk !== undefined;
    return { header: isNamed ? header : { ...header, kid }, payload: encodePayload(payload, isText(head)) };
  }

  async #isNameOf(keyId: string, owner: string, name: string): Promise<boolean> {
    try {
      return (await this.#find(owner, name)).keyId === keyId;
    } catch (error) {
      if (isDomainError(error, 'NotFound')) return false;
      throw error;
    }
  }
}

interface Flattened {
  protected: unknown;
  payload: unknown;
}

const isFlattened = (content: unknown): content is Flattened & JsonObject =>
  isObject(content) && Object.keys(content).length === 2 && 'protected' in content && 'payload' in content;

function readHeader(head: unknown, { keyType, publicJwk }: Signer): JsonObject {
  const header = isText(head) ? decodeHeader(head) : head;
  if (!isObject(header)) throw invalidField([], 'must be a JSON object, or one as base64url text');
  const { alg } = KEY_TYPES[keyType];
  if (header.alg !== undefined && header.alg !== alg)
    throw invalidField(['alg'], `must be ${alg}, as the key is ${keyType}`);
  for (const name of ['crit', 'b64']) if (name in header) throw invalidField([name], 'is not supported');
  if (header.jwk !== undefined && !at(['jwk'], () => isSameKey(readStatedJwk(header.jwk), publicJwk)))
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

const readJwkText = (text: string) => readStatedJwk(readJson(text));

function readStatedJwk(value: unknown) {
  if (isObject(value) && hasPrivatePart(value)) throw invalidField([], 'must be a public key');
  return named([], () => readPublicJwk(value));
}

const readJson = (text: string): unknown => named([], () => parseJson(text));

/** Gives an error that names no field the path of the value that was read. */
function named<T>(path: FieldPath, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw isDomainError(error, 'BadRequest') && !error.details ? invalidField(path, error.message) : error;
  }
}
