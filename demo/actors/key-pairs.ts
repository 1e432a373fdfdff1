import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

const DER = {
  publicKeyEncoding: { format: 'der', type: 'spki' },
  privateKeyEncoding: { format: 'der', type: 'pkcs8' },
} as const;

/** The kind of key: an EC key by its curve, an RSA key by its bits, or Ed25519. */
type KeySpec = { namedCurve: string } | { modulusLength: number } | 'ed25519';

/**
 * A new key pair, converted through DER: exporting a key object of `generateKeyPairSync` as JWK can deadlock node 20,
 * because a garbage collection during the export waits for the lock of the export.
 */
export function keyPair(spec: KeySpec): { publicKey: KeyObject; privateKey: KeyObject } {
  const privateKey = createPrivateKey({ key: generate(spec), format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** The type of the result does not show the encoding of spread options. */
function generate(spec: KeySpec): Buffer {
  const pair: { privateKey: unknown } =
    spec === 'ed25519'
      ? generateKeyPairSync('ed25519', DER)
      : 'modulusLength' in spec
        ? generateKeyPairSync('rsa', { ...spec, ...DER })
        : generateKeyPairSync('ec', { ...spec, ...DER });
  return pair.privateKey as Buffer;
}
