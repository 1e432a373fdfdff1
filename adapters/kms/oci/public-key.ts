import { createPublicKey } from 'node:crypto';
import { readPublicJwk } from '../../../domain/jose/jwk.ts';
import { keyTypeOf } from '../../../domain/keys/key-types.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import { KmsFailure } from '../remote/kms.ts';
import { ALGORITHMS } from './vocabulary.ts';

/** Reads the public key of a key version. @throws KmsFailure `unusable-key` for a key of a type that this backend lacks */
export function readPublicKey(pem: unknown): PublicJwk {
  if (pem === undefined) throw new KmsFailure('unusable-key', 'the key has no public key: it encrypts only');
  const jwk = parse(String(pem));
  if (!jwk) throw new KmsFailure('unavailable', 'the public key cannot be read');
  const keyType = typeOf(jwk);
  if (!keyType || !ALGORITHMS[keyType])
    throw new KmsFailure('unusable-key', `the key is of another type than ${Object.keys(ALGORITHMS).join(' and ')}`);
  return jwk;
}

function parse(pem: string): PublicJwk | undefined {
  try {
    return createPublicKey(pem).export({ format: 'jwk' }) as PublicJwk;
  } catch {
    return undefined;
  }
}

function typeOf(jwk: PublicJwk) {
  try {
    return keyTypeOf(readPublicJwk(jwk));
  } catch {
    return undefined;
  }
}
