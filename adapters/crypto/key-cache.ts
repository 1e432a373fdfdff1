import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { LruCache } from '../../domain/foundation/lru-cache.ts';
import { canonicalKey } from '../../domain/jose/jwk.ts';
import type { PublicJwk } from '../../ports/key-service.ts';

/** Memory of a key of the largest kind, in bytes. */
const KEY_BYTES = 4096;

/** Caches imported keys by name: importing costs as much as verifying. */
const publicKeys = new LruCache<KeyObject>('public-keys');
const privateKeys = new LruCache<KeyObject>('private-keys');

/** @throws Error for members that are not a valid key */
export function importPublic(jwk: PublicJwk): KeyObject {
  const name = canonicalKey(jwk);
  const known = publicKeys.get(name);
  if (known) return known;
  const key = createPublicKey({ key: { ...jwk } as JsonWebKey, format: 'jwk' });
  return publicKeys.set(name, key, { bytes: KEY_BYTES + name.length });
}

/**
 * Imports a private key once. `check` runs before the key is cached and throws for a key that must not be used.
 * @throws Error for members that are not a valid key
 */
export function importPrivate(
  publicJwk: PublicJwk,
  secret: Record<string, unknown>,
  check?: (key: KeyObject) => void,
): KeyObject {
  const name = `${canonicalKey(publicJwk)}.${String(secret.d)}`;
  const known = privateKeys.get(name);
  if (known) return known;
  const { kid: _, ...members } = publicJwk;
  const key = createPrivateKey({ key: { ...members, ...secret } as JsonWebKey, format: 'jwk' });
  check?.(key);
  return privateKeys.set(name, key, { bytes: KEY_BYTES + name.length });
}
