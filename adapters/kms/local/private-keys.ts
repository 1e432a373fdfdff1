import { constants, createPrivateKey, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { EventLoopBudget } from '../../../domain/foundation/event-loop-budget.ts';
import { LruCache } from '../../../domain/foundation/lru-cache.ts';
import { canonicalKey } from '../../../domain/jose/jwk.ts';
import { KEY_TYPES } from '../../../domain/jose/key-types.ts';
import type { KeyReference, KeyType } from '../../../ports/key-service.ts';

const signAside = promisify(sign);

/** Key types that sign faster synchronously than on a thread; all others would block the event loop. */
const QUICK: ReadonlySet<KeyType> = new Set(['secp256r1', 'Ed25519']);

/** Signed in one turn of the event loop, each with the work of its caller: some two milliseconds. */
const PER_TURN = 16;

/** Memory of a key of the largest kind, in bytes. */
const KEY_BYTES = 4096;

/** An imported private key. */
interface ImportedKey {
  key: KeyObject;
  /** Whether it is known to sign what its public key verifies. */
  isConfirmed: boolean;
}

/** Imports private keys, caches them, and signs with them. */
export class PrivateKeys {
  readonly #cache = new LruCache<ImportedKey>('private-keys');
  readonly #budget = new EventLoopBudget({ next: setImmediate }, PER_TURN);

  /** @throws Error for members that are not a valid key */
  import({ publicJwk, config }: Pick<KeyReference, 'publicJwk' | 'config'>): ImportedKey {
    const name = `${canonicalKey(publicJwk)}.${String(config.d)}`;
    const known = this.#cache.get(name);
    if (known) return known;
    const { kid: _, ...members } = publicJwk;
    const key = createPrivateKey({ key: { ...members, ...config } as JsonWebKey, format: 'jwk' });
    return this.#cache.set(name, { key, isConfirmed: false }, { bytes: KEY_BYTES + name.length });
  }
  /** A raw JOSE signature with a private key of `keyType` (ECDSA as r‖s). */
  async sign({ key }: ImportedKey, keyType: KeyType, data: Uint8Array): Promise<Uint8Array> {
    const { digest, kty } = KEY_TYPES[keyType];
    const padding = kty === 'RSA' ? constants.RSA_PKCS1_PADDING : undefined;
    const options = { key, dsaEncoding: 'ieee-p1363', padding } as const;
    if (!QUICK.has(keyType)) return signAside(digest, data, options);
    await this.#budget.next();
    return sign(digest, data, options);
  }
}
