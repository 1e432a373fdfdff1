import { createHash, type KeyObject, randomBytes } from 'node:crypto';
import {
  type CallbackContext,
  clientAuthenticationAnonymous,
  type JwtSigner,
  setGlobalConfig,
  type VerifyJwtCallback,
} from '@openid4vc/oauth2';
import { type JWK, SignJWT } from 'jose';
import { keyOfDid, keyOfJwk, verified } from './judge.ts';

/** The JWK of a public key. */
export function publicJwkOf(key: KeyObject) {
  const { kty = '', ...members } = key.export({ format: 'jwk' }) as JWK;
  return { kty, ...members };
}

/** The did:jwk of a public key. */
export const didJwkOf = (key: KeyObject): string =>
  `did:jwk:${Buffer.from(JSON.stringify(publicJwkOf(key))).toString('base64url')}`;

/** The key of the signer that the library found in the token. */
const keyOfSigner = (signer: JwtSigner) =>
  'didUrl' in signer ? keyOfDid(signer.didUrl) : keyOfJwk('publicJwk' in signer ? signer.publicJwk : { kty: '' });

const verifyJwt: VerifyJwtCallback = async (signer, { compact }) => {
  const key = keyOfSigner(signer);
  await verified(compact, key);
  return { verified: true, signerJwk: publicJwkOf(key) };
};

const refuse = (): never => {
  throw new Error('Nothing is encrypted here');
};

/** The callbacks that the library requires; one key signs everything. */
export function callbacks(privateKey: KeyObject, publicKey: KeyObject): CallbackContext {
  setGlobalConfig({ allowInsecureUrls: true });
  return {
    hash: (data, algorithm) => createHash(algorithm.replace('-', '')).update(data).digest(),
    generateRandom: (length) => randomBytes(length),
    clientAuthentication: clientAuthenticationAnonymous(),
    signJwt: async (_, { header, payload }) => ({
      jwt: await new SignJWT(payload).setProtectedHeader(header as { alg: string }).sign(privateKey),
      signerJwk: publicJwkOf(publicKey),
    }),
    verifyJwt,
    encryptJwe: refuse,
    decryptJwe: refuse,
    fetch,
  };
}
