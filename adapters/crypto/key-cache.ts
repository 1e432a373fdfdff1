import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { LruCache } from '../../domain/foundation/lru-cache.ts';
import { canonicalKey } from '../../domain/jose/jwk.ts';
import type { PublicJwk } from '../../ports/key-service.ts';

/** Memory of a key of the largest kind, in bytes. */
const KEY_BYTES = 4096;

/** Imports public keys and caches them: importing costs as much as verifying. */
export class PublicKeys {
  readonly #cache = new LruCache<KeyObject>('public-keys');

  /** @throws Error for members that are not a valid key */
  import(jwk: PublicJwk): KeyObject {
    const name = canonicalKey(jwk);
    return this.#cache.get(name) ?? this.#cache.set(name, importPublic(jwk), { bytes: KEY_BYTES + name.length });
  }
}

/** Imports private keys and caches them. */
export class PrivateKeys {
  readonly #cache = new LruCache<KeyObject>('private-keys');

  /**
   * Imports a private key once. `check` runs before the key is cached and throws for a key that must not be used.
   * @throws Error for members that are not a valid key
   */
  import(publicJwk: PublicJwk, secret: Record<string, unknown>, check?: (key: KeyObject) => void): KeyObject {
    const name = `${canonicalKey(publicJwk)}.${String(secret.d)}`;
    const known = this.#cache.get(name);
    if (known) return known;
    const { kid: _, ...members } = publicJwk;
    const key = createPrivateKey({ key: { ...members, ...secret } as JsonWebKey, format: 'jwk' });
    check?.(key);
    return this.#cache.set(name, key, { bytes: KEY_BYTES + name.length });
  }
}

/** @throws Error for members that are not a valid key */
export const importPublic = (jwk: PublicJwk): KeyObject =>
  createPublicKey({ key: { ...jwk } as JsonWebKey, format: 'jwk' });
