import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Secrets } from '../../ports/secrets.ts';
import type { Random } from '../../ports/system.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DIGEST_KEY_BYTES = 32;
/** Eight characters of base64url. */
const KEY_ID_BYTES = 6;

interface RingKey {
  id: string;
  key: KeyObject;
  /** The key of the digests that it stands for, as base64url. */
  digestKey: string;
}

/** A text as it is stored, and the ring keys that may have sealed it. */
interface SealedText {
  bytes: Buffer;
  candidates: readonly RingKey[];
}

/**
 * AES-256-GCM under a ring of master keys. The text is `<key id>.<base64url of nonce, ciphertext and tag>`; versions up to
 * 0.3.0 wrote it without key id, and such a text is tried with every key.
 */
export class AesSecrets implements Secrets {
  readonly keyIds: readonly string[];
  readonly #ring: readonly RingKey[];
  readonly #current: RingKey;
  readonly #random: Random;

  /** The first master key is the current one. */
  constructor(masterKeys: readonly Buffer[], random: Random) {
    const all = masterKeys.map(ringKey);
    this.#ring = all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index);
    const [current] = this.#ring;
    if (!current) throw new Error('A ring of master keys has at least one');
    this.#current = current;
    this.keyIds = this.#ring.map(({ id }) => id);
    this.#random = random;
  }

  seal(plain: string, context: string): string {
    const { id, key } = this.#current;
    const nonce = this.#random.bytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
    const bytes = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${id}.${bytes.toString('base64url')}`;
  }

  unseal(sealed: string, context: string): string {
    return this.#unseal(sealed, context).plain;
  }

  keyOf(sealed: string, context: string): string {
    return this.#unseal(sealed, context).id;
  }

  digestKeyOf(keyId: string): string {
    const known = this.#ring.find(({ id }) => id === keyId);
    if (!known) throw foreign(keyId);
    return known.digestKey;
  }

  digest(text: string, context: string, key: string): string {
    const input = `${Buffer.byteLength(context)}\n${context}${text}`;
    return createHmac('sha256', Buffer.from(key, 'base64url')).update(input).digest('base64url');
  }

  #unseal(sealed: string, context: string): { plain: string; id: string } {
    const { bytes, candidates } = this.#read(sealed);
    let failure: unknown;
    for (const { id, key } of candidates) {
      try {
        return { plain: decrypt(bytes, key, context), id };
      } catch (error) {
        failure = error;
      }
    }
    throw new Error('The stored data was sealed with another master key, or altered', { cause: failure });
  }

  /** @throws Error when the text names a key outside the ring */
  #read(sealed: string): SealedText {
    const dot = sealed.indexOf('.');
    if (dot < 0) return { bytes: Buffer.from(sealed, 'base64url'), candidates: this.#ring };
    const name = sealed.slice(0, dot);
    const key = this.#ring.find(({ id }) => id === name);
    if (!key) throw foreign(name);
    return { bytes: Buffer.from(sealed.slice(dot + 1), 'base64url'), candidates: [key] };
  }
}

function ringKey(masterKey: Buffer): RingKey {
  const derive = (purpose: string, bytes: number): string =>
    Buffer.from(hkdfSync('sha256', masterKey, '', purpose, bytes)).toString('base64url');
  return {
    id: derive('credenza key id', KEY_ID_BYTES),
    key: createSecretKey(masterKey),
    digestKey: derive('credenza digests', DIGEST_KEY_BYTES),
  };
}

function decrypt(bytes: Buffer, key: KeyObject, context: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

const foreign = (keyId: string): Error =>
  new Error(`The stored data was sealed with another master key: ${keyId.slice(0, 16)} is not in the ring`);
