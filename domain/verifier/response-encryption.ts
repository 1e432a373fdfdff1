import type { MessageEncryption } from '../../ports/message-encryption.ts';
import { digest, fromUtf8 } from '../foundation/bytes.ts';
import { invalidField, isDomainError } from '../foundation/errors.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { ENCRYPTION } from '../jose/encryption-algorithms.ts';
import { canonicalKey, readPublicJwk, thumbprint, withKid } from '../jose/jwk.ts';
import { privateJwkOf } from '../keys/backends/jwk.ts';
import type { KeyBackends } from '../keys/key-backends.ts';

/** The largest response after decryption and decompression, in bytes. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** The private JWK that the response of one session is encrypted to, with its `kid`; a secret. */
export type ResponseKey = JsonObject & { kid: string };

/** A response that was decrypted. */
export interface DecryptedResponse {
  /** The parameters of the response. */
  payload: JsonObject;
  /** The protected header, with `apu` and `apv` as the wallet set them. */
  header: Readonly<JsonObject>;
}

/** What the encryption of responses needs. */
export interface ResponseEncryptionParts {
  keys: KeyBackends;
  encryption: MessageEncryption;
}

/**
 * Encrypted responses of wallets (OpenID4VP 1.0 §8.3): each session has a P-256 key of its own, and only a message to
 * exactly this key, with ECDH-ES and an AES-GCM algorithm, is decrypted.
 */
export class ResponseEncryption {
  readonly #parts: ResponseEncryptionParts;

  constructor(parts: ResponseEncryptionParts) {
    this.#parts = parts;
  }

  /** Creates the key of a session. */
  async createKey(): Promise<ResponseKey> {
    const reference = await this.#parts.keys.create('jwk', { keyType: 'secp256r1' });
    return { ...privateJwkOf(reference), kid: thumbprint(reference.publicJwk) };
  }

  /**
   * Decrypts a response.
   * @throws DomainError `BadRequest` without a path when it is not a JSON object that is encrypted to this key
   */
  async decrypt(message: string, key: ResponseKey): Promise<DecryptedResponse> {
    const keyOf = async (kid: string) => (kid === key.kid ? key : undefined);
    try {
      const options = { keyOf, maxBytes: MAX_RESPONSE_BYTES };
      const { plaintext, header } = await this.#parts.encryption.decrypt(message, options);
      if (plaintext.length > MAX_RESPONSE_BYTES)
        throw invalidField([], `the encrypted response may have at most ${MAX_RESPONSE_BYTES} bytes`);
      const payload = parseJson(fromUtf8(plaintext));
      if (isObject(payload)) return { payload, header };
    } catch (error) {
      throw isDomainError(error, 'BadRequest') && !error.details ? invalidField([], error.message) : error;
    }
    throw invalidField([], 'the encrypted response is not a JSON object');
  }
}

/** The public part of a session's key, as the metadata of the verifier has it (OpenID4VP 1.0 §5.1). */
export const publishedKey = (key: ResponseKey): JsonObject => ({
  ...withKid(readPublicJwk(key), key.kid),
  use: 'enc',
  alg: ENCRYPTION.ALG,
});

/** The SHA-256 thumbprint (RFC 7638) of a session's key, which session transcripts contain. */
export const keyThumbprint = (key: ResponseKey): Uint8Array => digest('sha256', canonicalKey(readPublicJwk(key)));
