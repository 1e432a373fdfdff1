import type { PublicJwk } from '../../../ports/key-service.ts';
import { isDomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { isSameKey, readPublicJwk } from '../../jose/jwk.ts';

/** A DID and the key that signs credentials under it. */
export interface IssuerIdentity {
  did: string;
  jwk: PublicJwk;
}

export const isSameIdentity = (left: IssuerIdentity, right: IssuerIdentity): boolean =>
  left.did === right.did && isSameKey(left.jwk, right.jwk);

/** Reads the identities of credential-issuer-metadata.conf. @throws Error naming the entry whose key is not a public key */
export function readIssuerIdentities(entries: { did: string; jwk: JsonObject }[]): IssuerIdentity[] {
  return entries.map(({ did, jwk }, index) => {
    const where = `credential-issuer-metadata.conf: issuers[${index}].jwk`;
    if ('d' in jwk) throw new Error(`${where}: must not contain a private key`);
    try {
      return { did, jwk: readPublicJwk(jwk) };
    } catch (error) {
      throw isDomainError(error) ? new Error(`${where}: ${error.message}`, { cause: error }) : error;
    }
  });
}
