import { base64url } from '../../../domain/foundation/bytes.ts';
import { isObject, isText, type JsonObject } from '../../../domain/foundation/json.ts';
import { readPublicJwk } from '../../../domain/jose/jwk.ts';
import { KEY_TYPES } from '../../../domain/jose/key-types.ts';
import type { KeyType, PublicJwk } from '../../../ports/key-service.ts';
import { KmsFailure } from '../remote/kms.ts';
import { publicJwkFromSpki } from '../remote/public-keys.ts';

/** The names of the key types at Transit. */
const TYPES: Readonly<Partial<Record<KeyType, string>>> = {
  Ed25519: 'ed25519',
  secp256r1: 'ecdsa-p256',
  secp384r1: 'ecdsa-p384',
  secp521r1: 'ecdsa-p521',
  RSA: 'rsa-2048',
  RSA3072: 'rsa-3072',
  RSA4096: 'rsa-4096',
};

/** The name of a key type at Transit. @throws KmsFailure for one that it lacks */
export function transitTypeOf(keyType: KeyType): string {
  const type = TYPES[keyType];
  if (type === undefined) throw new KmsFailure('unusable-key', `keys of type ${keyType} are not supported`);
  return type;
}

/** How a signature is asked for, besides what is signed. */
export function signingOptionsOf(keyType: KeyType): JsonObject {
  const { digest, kty } = KEY_TYPES[keyType];
  // Ed25519 hashes by itself: `prehashed` would make it Ed25519ph.
  if (digest === null) return {};
  return {
    prehashed: true,
    hash_algorithm: `sha2-${digest.slice('sha'.length)}`,
    ...(kty === 'RSA' ? { signature_algorithm: 'pkcs1v15' } : { marshaling_algorithm: 'jws' }),
  };
}

/** Name and version of a key in its reference. */
interface TransitKey {
  name: string;
  /** Absent for the latest version. */
  version?: number;
}

export function readKeyId(id: string): TransitKey {
  const [name = '', version] = id.split('/');
  return version === undefined ? { name } : { name, version: Number(version) };
}

/** The public key of one version among what Transit says of a key; undefined when it says nothing of keys. */
export function publicJwkIn({ data }: JsonObject, version: number | undefined): PublicJwk | undefined {
  if (!isObject(data)) return undefined;
  const { keys, latest_version: latest, type } = data;
  const stated = isObject(keys) ? keys[String(version ?? latest)] : undefined;
  if (!isObject(stated) || !isText(stated.public_key))
    throw new KmsFailure('unusable-key', 'there is no public key of this version');
  if (type !== 'ed25519') return publicJwkFromSpki(stated.public_key, 'tse');
  const x = base64url(Buffer.from(stated.public_key, 'base64'));
  return readPublicJwk({ kty: 'OKP', crv: 'Ed25519', x });
}

/** The bytes of `vault:v<version>:<base64>`. @throws KmsFailure for another text, or the signature of another version */
export function signatureIn({ data }: JsonObject, wanted: number | undefined): Uint8Array {
  const text = isObject(data) && typeof data.signature === 'string' ? data.signature : '';
  const [, version, encoded = ''] = /^vault:v(\d{1,9}):([\w+/=-]{1,2048})$/.exec(text) ?? [];
  if (version === undefined || (wanted !== undefined && Number(version) !== wanted))
    throw new KmsFailure('unavailable', 'the answer is not what the operation returns');
  // Both alphabets of base64 are read: only signatures as JWS have that of URLs.
  return Buffer.from(encoded, 'base64');
}
