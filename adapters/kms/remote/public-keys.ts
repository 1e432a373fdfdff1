import { createPublicKey } from 'node:crypto';
import { readPublicJwk } from '../../../domain/jose/jwk.ts';
import { KEY_TYPES, keyTypeOf } from '../../../domain/jose/key-types.ts';
import type { Backend, PublicJwk } from '../../../ports/key-service.ts';
import { KmsFailure } from './kms.ts';

/**
 * Reads a public key that a service returned: a SubjectPublicKeyInfo as DER, or its PEM as text.
 * @throws KmsFailure when it is none, or of a type that keys of this backend do not have
 */
export function publicJwkFromSpki(spki: Uint8Array | string, backend: Backend): PublicJwk {
  const jwk = exported(spki);
  try {
    const publicJwk = readPublicJwk(jwk);
    if (KEY_TYPES[keyTypeOf(publicJwk)].backends.includes(backend)) return publicJwk;
  } catch {
    // It is refused below.
  }
  throw new KmsFailure('unusable-key', 'the type of the key is not supported here');
}

function exported(spki: Uint8Array | string): unknown {
  try {
    const key = typeof spki === 'string' ? spki : ({ key: Buffer.from(spki), format: 'der', type: 'spki' } as const);
    return createPublicKey(key).export({ format: 'jwk' });
  } catch (cause) {
    throw new KmsFailure('unavailable', 'the returned public key cannot be read', cause);
  }
}
