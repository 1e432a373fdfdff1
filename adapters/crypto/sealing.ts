import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Secrets } from '../../ports/secrets.ts';
import type { Random } from '../../ports/system.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DIGEST_KEY_BYTES = 32;

/** AES-256-GCM under the master key; the text is base64url of nonce, ciphertext and tag. */
export class AesSecrets implements Secrets {
  readonly #key: KeyObject;
  readonly #digestKey: KeyObject;
  readonly #random: Random;

  constructor(masterKey: Buffer, random: Random) {
    this.#key = createSecretKey(masterKey);
    const digestKey = hkdfSync('sha256', masterKey, '', 'credenza digests', DIGEST_KEY_BYTES);
    this.#digestKey = createSecretKey(Buffer.from(digestKey));
    this.#random = random;
  }

  seal(plain: string, context: string): string {
    const nonce = this.#random.bytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(context));
    return Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
      'base64url',
    );
  }

  unseal(sealed: string, context: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch (cause) {
      throw new Error('The stored data was sealed with another master key, or altered', { cause });
    }
  }

  digest(text: string, context: string): string {
    const input = `${Buffer.byteLength(context)}\n${context}${text}`;
    return createHmac('sha256', this.#digestKey).update(input).digest('base64url');
  }
}
