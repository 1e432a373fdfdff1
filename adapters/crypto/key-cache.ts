import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
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

/** @throws Error for members that are not a valid key */
const importPublic = (jwk: PublicJwk): KeyObject => createPublicKey({ key: { ...jwk } as JsonWebKey, format: 'jwk' });
