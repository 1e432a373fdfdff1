import type { MessageEncryption } from '../../../ports/message-encryption.ts';
import { fromUtf8 } from '../../foundation/bytes.ts';
import { invalidField, isDomainError } from '../../foundation/errors.ts';
import { isObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { createMessageKey, type MessageKey, onlyKey } from '../../keys/message-keys.ts';
import type { DecryptedResponse, ResponseDecryption } from '../protocol.ts';

/** The largest response after decryption and decompression, in bytes. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/**
 * Encrypted responses of wallets (OpenID4VP 1.0 §8.3): each session has a P-256 key of its own, and only a message to
 * exactly this key, which need not name it, with ECDH-ES and an AES-GCM algorithm, is decrypted.
 */
export class ResponseEncryption implements ResponseDecryption {
  constructor(
    private readonly parts: {
      keys: KeyBackends;
      encryption: MessageEncryption;
    },
  ) {}

  /** Creates the key of a session. */
  createKey(): Promise<MessageKey> {
    return createMessageKey(this.parts.keys);
  }

  async decrypt(message: string, key: MessageKey): Promise<DecryptedResponse> {
    try {
      const options = { keyOf: onlyKey(key), maxBytes: MAX_RESPONSE_BYTES };
      const { plaintext, header } = await this.parts.encryption.decrypt(message, options);
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
