import { createHash, type KeyObject, verify } from 'node:crypto';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { importPublicBare, type Party } from '../support/parties.ts';

const isSignedBy = (key: KeyObject, data: string, signature: string): boolean =>
  verify('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));

/** Verifies SD-JWT VCs with their key binding by @sd-jwt/sd-jwt-vc; the key of the one issuer is imported once. */
export function libraryVerifier({ publicJwk }: Party, keyBindingNonce: string): (presented: string) => Promise<void> {
  const issuerKey = importPublicBare(publicJwk);
  const library = new SDJwtVcInstance({
    hashAlg: 'sha-256',
    hasher: (data) =>
      createHash('sha256')
        .update(typeof data === 'string' ? data : new Uint8Array(data))
        .digest(),
    verifier: (data, signature) => isSignedBy(issuerKey, data, signature),
    kbVerifier: (data, signature, { cnf }) =>
      cnf !== undefined && isSignedBy(importPublicBare({ ...cnf.jwk }), data, signature),
  });
  return async (presented) => {
    const { kb } = await library.verify(presented, { keyBindingNonce });
    if (kb === undefined) throw new Error('No key binding');
  };
}
