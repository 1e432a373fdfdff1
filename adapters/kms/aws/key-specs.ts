import type { KeySpec, SigningAlgorithmSpec } from '@aws-sdk/client-kms';
import { KEY_TYPES } from '../../../domain/jose/key-types.ts';
import type { KeyType } from '../../../ports/key-service.ts';

/** The key specs of the curves by their JOSE names. */
const CURVES: Readonly<Record<string, KeySpec>> = {
  'P-256': 'ECC_NIST_P256',
  'P-384': 'ECC_NIST_P384',
  'P-521': 'ECC_NIST_P521',
  secp256k1: 'ECC_SECG_P256K1',
};

/** The schemes that sign a digest, without its size. */
const SCHEMES: Readonly<Record<string, string>> = { EC: 'ECDSA', RSA: 'RSASSA_PKCS1_V1_5' };

/** What AWS KMS calls a key type; undefined for one that it does not have. */
export function keySpecOf(keyType: KeyType): KeySpec | undefined {
  const { kty, crv = '', bits } = KEY_TYPES[keyType];
  return kty === 'RSA' ? (`RSA_${bits}` as KeySpec) : CURVES[crv];
}

/** What AWS KMS calls the algorithm of a key type; undefined for one that it does not have. */
export function signingAlgorithmOf(keyType: KeyType): SigningAlgorithmSpec | undefined {
  const { kty, digest } = KEY_TYPES[keyType];
  const scheme = SCHEMES[kty];
  return scheme && digest ? (`${scheme}_SHA_${digest.slice(3)}` as SigningAlgorithmSpec) : undefined;
}
