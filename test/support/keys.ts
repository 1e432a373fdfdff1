import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

const DER = {
  publicKeyEncoding: { format: 'der', type: 'spki' },
  privateKeyEncoding: { format: 'der', type: 'pkcs8' },
} as const;

/** What key to make: an EC key by its curve, an RSA key by its bits, or Ed25519. */
export type KeySpec = { namedCurve: string } | { modulusLength: number } | 'ed25519';

/**
 * A new key pair. The way leads over DER, because an object that `generateKeyPairSync` itself gave can lock up node 20
 * when it is exported as JWK: a garbage collection in the midst of that waits for the lock which the export holds.
 */
export function keyPair(spec: KeySpec): { publicKey: KeyObject; privateKey: KeyObject } {
  const privateKey = createPrivateKey({ key: generate(spec), format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** The types lose sight of the encoding in options that are spread. */
function generate(spec: KeySpec): Buffer {
  const pair: { privateKey: unknown } =
    spec === 'ed25519'
      ? generateKeyPairSync('ed25519', DER)
      : 'modulusLength' in spec
        ? generateKeyPairSync('rsa', { ...spec, ...DER })
        : generateKeyPairSync('ec', { ...spec, ...DER });
  return pair.privateKey as Buffer;
}
