import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { BoundedCache } from '../../domain/bounded-cache.ts';
import { fingerprint } from '../../domain/bytes.ts';
import { canonicalKey } from '../../domain/keys/jwk.ts';
import type { PublicJwk } from '../../ports/key-service.ts';

const KEPT_KEYS = 2000;

/** Imported keys by name: importing costs as much as verifying. */
const publicKeys = new BoundedCache<KeyObject>(KEPT_KEYS);
const privateKeys = new BoundedCache<KeyObject>(KEPT_KEYS);

/** @throws Error when the members are no valid key */
export function importPublic(jwk: PublicJwk): KeyObject {
  const name = canonicalKey(jwk);
  return (
    publicKeys.get(name) ?? publicKeys.set(name, createPublicKey({ key: { ...jwk } as JsonWebKey, format: 'jwk' }))
  );
}

/**
 * Imports a private key once. `check` runs before it is kept and throws when it must not be.
 * @throws Error when the members are no valid key
 */
export function importPrivate(
  publicJwk: PublicJwk,
  secret: Record<string, unknown>,
  check?: (key: KeyObject) => void,
): KeyObject {
  const name = fingerprint(`${canonicalKey(publicJwk)}.${String(secret.d)}`);
  const known = privateKeys.get(name);
  if (known) return known;
  const { kid: _, ...members } = publicJwk;
  const key = createPrivateKey({ key: { ...members, ...secret } as JsonWebKey, format: 'jwk' });
  check?.(key);
  return privateKeys.set(name, key);
}
