import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto';

/** Somebody with a P-256 key and the did:jwk made of it. */
export interface Party {
  privateKey: KeyObject;
  publicJwk: JsonWebKey;
  privateJwk: JsonWebKey;
  did: string;
  kid: string;
}

/** A fresh party. */
export function makeParty(): Party {
  const privateJwk = newP256();
  const { kty, crv, x, y } = privateJwk;
  const publicJwk = { kty, crv, x, y };
  const did = `did:jwk:${encode(publicJwk)}`;
  return { privateKey: importPrivateBare(privateJwk), publicJwk, privateJwk, did, kid: `${did}#0` };
}

/**
 * A private key as JWK. The way leads over DER, because an object that `generateKeyPairSync` itself gave can lock up node
 * 20 when it is exported as JWK: a garbage collection in the midst of that waits for the lock which the export holds.
 */
function newP256(): JsonWebKey {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  });
  return createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' });
}

/** More than any cache of ours keeps, so that used in turn each is new. */
export const MANY = 2500;

/** `MANY` parties, given out in turn. */
export function manyParties(): () => Party {
  return inTurn(Array.from({ length: MANY }, makeParty));
}

/** Gives out the values one after the other, over and over. */
export function inTurn<T>(values: readonly T[]): () => T {
  let at = 0;
  return () => {
    at = (at + 1) % values.length;
    return values[at] as T;
  };
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A compact ES256 JWS with nothing but node's cryptography. */
export function signBare(header: object, payload: object, key: KeyObject): string {
  const input = `${encode({ alg: 'ES256', ...header })}.${encode(payload)}`;
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

export const importPublicBare = (jwk: JsonWebKey): KeyObject => createPublicKey({ key: jwk, format: 'jwk' });
export const importPrivateBare = (jwk: JsonWebKey): KeyObject => createPrivateKey({ key: jwk, format: 'jwk' });
