import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { fingerprint } from '../../domain/bytes.ts';
import { thumbprint } from '../../domain/keys/jwk.ts';
import type { PublicJwk } from '../../ports/key-service.ts';

const KEPT_KEYS = 2000;

/** Imported keys by name: importing costs as much as verifying. The oldest entries make room. */
class KeyCache {
  readonly #keys = new Map<string, KeyObject>();

  get(name: string, load: () => KeyObject): KeyObject {
    const known = this.#keys.get(name);
    if (known) return known;
    const key = load();
    const oldest = this.#keys.size >= KEPT_KEYS ? this.#keys.keys().next().value : undefined;
    if (oldest !== undefined) this.#keys.delete(oldest);
    this.#keys.set(name, key);
    return key;
  }
}

const publicKeys = new KeyCache();
const privateKeys = new KeyCache();

/** @throws Error when the members are no valid key */
export const importPublic = (jwk: PublicJwk): KeyObject =>
  publicKeys.get(thumbprint(jwk), () => createPublicKey({ key: { ...jwk } as JsonWebKey, format: 'jwk' }));

/**
 * Imports a private key once. `check` runs before it is kept and throws when it must not be.
 * @throws Error when the members are no valid key
 */
export function importPrivate(
  publicJwk: PublicJwk,
  secret: Record<string, unknown>,
  check?: (key: KeyObject) => void,
): KeyObject {
  return privateKeys.get(fingerprint(`${thumbprint(publicJwk)}.${String(secret.d)}`), () => {
    const { kid: _, ...members } = publicJwk;
    const key = createPrivateKey({ key: { ...members, ...secret } as JsonWebKey, format: 'jwk' });
    check?.(key);
    return key;
  });
}
