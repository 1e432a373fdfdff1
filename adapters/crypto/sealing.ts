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

/** AES-256-GCM under a ring of master keys. The text is `<key id>.<base64url of nonce, ciphertext and tag>`. */
export class AesSecrets implements Secrets {
  readonly keyIds: readonly string[];
  readonly #ring: readonly RingKey[];
  readonly #current: RingKey;

  /** The first master key is the current one. */
  constructor(
    masterKeys: readonly Buffer[],
    private readonly random: Random,
  ) {
    const all = masterKeys.map(ringKey);
    this.#ring = all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index);
    const [current] = this.#ring;
    if (!current) throw new Error('A ring of master keys has at least one');
    this.#current = current;
    this.keyIds = this.#ring.map(({ id }) => id);
  }

  seal(plain: string, context: string): string {
    const { id, key } = this.#current;
    const nonce = this.random.bytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
    const bytes = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${id}.${bytes.toString('base64url')}`;
  }

  unseal(sealed: string, context: string): string {
    const dot = sealed.indexOf('.');
    const name = sealed.slice(0, dot);
    const key = this.#ring.find(({ id }) => id === name);
    if (!key) throw foreign(name);
    try {
      return decrypt(Buffer.from(sealed.slice(dot + 1), 'base64url'), key.key, context);
    } catch (cause) {
      throw new Error('The stored data was sealed with another master key, or altered', { cause });
    }
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
