import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { decrypt, encrypt } from '../../domain/foundation/bytes.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { Body } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';

const NONCE_BYTES = 12;
const DIGEST_KEY_BYTES = 32;
/** Eight characters of base64url. */
const KEY_ID_BYTES = 6;

interface RingKey {
  id: string;
  key: KeyObject;
  /** The key of the digests that it stands for, as base64url. */
  digestKey: string;
}

/** AES-256-GCM under a ring of master keys. What is sealed is key id, nonce, ciphertext and tag. */
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

  seal(plain: string, context: string): Uint8Array {
    const { id, key } = this.#current;
    const nonce = this.random.bytes(NONCE_BYTES);
    return Buffer.concat([Buffer.from(id, 'base64url'), encrypt(key, { text: plain, context, nonce })]);
  }

  unseal(sealed: Body, context: string): string {
    const bytes = typeof sealed === 'string' ? Buffer.from(sealed.replace('.', ''), 'base64url') : sealed;
    const { key } = this.#ringKey(keyIdOf(bytes));
    const plain = decrypt(key, bytes.subarray(KEY_ID_BYTES), context);
    if (plain !== undefined) return plain;
    throw new Error('The stored data was sealed with another master key, or altered');
  }

  isCurrent(sealed: Body): boolean {
    return typeof sealed !== 'string' && keyIdOf(sealed) === this.#current.id;
  }

  digestKeyOf(keyId: string): string {
    return this.#ringKey(keyId).digestKey;
  }

  digest(text: string, context: string, key: string): string {
    const input = `${Buffer.byteLength(context)}\n${context}${text}`;
    return createHmac('sha256', Buffer.from(key, 'base64url')).update(input).digest('base64url');
  }

  #ringKey(keyId: string): RingKey {
    const known = this.#ring.find(({ id }) => id === keyId);
    if (known) return known;
    throw new Error(`The stored data was sealed with another master key: ${keyId} is not in the ring`);
  }
}

const keyIdOf = (sealed: Uint8Array): string => Buffer.from(sealed.subarray(0, KEY_ID_BYTES)).toString('base64url');

const derived = (masterKey: Buffer, purpose: string, bytes: number): string =>
  Buffer.from(hkdfSync('sha256', masterKey, '', purpose, bytes)).toString('base64url');

/** The id of a master key; it says nothing about the key. */
export const masterKeyId = (masterKey: Buffer): string => derived(masterKey, 'credenza key id', KEY_ID_BYTES);

const ringKey = (masterKey: Buffer): RingKey => ({
  id: masterKeyId(masterKey),
  key: createSecretKey(masterKey),
  digestKey: derived(masterKey, 'credenza digests', DIGEST_KEY_BYTES),
});
