import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto';

/** An issuer or holder with a P-256 key and its did:jwk. */
export interface Party {
  privateKey: KeyObject;
  publicJwk: JsonWebKey;
  privateJwk: JsonWebKey;
  did: string;
  kid: string;
}

/** Creates a party with a new key. */
export function makeParty(): Party {
  const privateJwk = newP256();
  const { kty, crv, x, y } = privateJwk;
  const publicJwk = { kty, crv, x, y };
  const did = `did:jwk:${encode(publicJwk)}`;
  return { privateKey: importPrivateBare(privateJwk), publicJwk, privateJwk, did, kid: `${did}#0` };
}

/**
 * Creates a private key as JWK, by way of DER: the export of a KeyObject of `generateKeyPairSync` as JWK can deadlock
 * Node 20, when a garbage collection during the export waits for its lock.
 */
function newP256(): JsonWebKey {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  });
  return createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' });
}

/** More than any cache of the product stores: used in turn, each is unknown to it. */
export const MANY = 2500;

/** Creates `MANY` parties and returns them in turn. */
export function manyParties(): () => Party {
  return inTurn(Array.from({ length: MANY }, makeParty));
}

/** Returns the values in turn, from the first again after the last. */
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
  return `${input}.${signRaw(Buffer.from(input), key).toString('base64url')}`;
}

/** An ES256 signature with nothing but node's cryptography. */
export const signRaw = (data: Uint8Array, key: KeyObject): Buffer =>
  sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' });

export const importPublicBare = (jwk: JsonWebKey): KeyObject => createPublicKey({ key: jwk, format: 'jwk' });
export const importPrivateBare = (jwk: JsonWebKey): KeyObject => createPrivateKey({ key: jwk, format: 'jwk' });
