import type { PublicJwk } from '../../ports/key-service.ts';
import { isDomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { isSameKey, readPublicJwk } from '../jose/jwk.ts';

/** An issuer of ours: a DID and the key that signs under it. */
export interface OwnIssuer {
  did: string;
  jwk: PublicJwk;
}

export const isSameIssuer = (left: OwnIssuer, right: OwnIssuer): boolean =>
  left.did === right.did && isSameKey(left.jwk, right.jwk);

/** Reads the issuers that the operator names. @throws Error naming the entry whose key is not a public key */
export function readOwnIssuers(entries: { did: string; jwk: JsonObject }[]): OwnIssuer[] {
  return entries.map(({ did, jwk }, index) => {
    const where = `credential-issuer-metadata.conf: issuers[${index}].jwk`;
    if ('d' in jwk) throw new Error(`${where}: must not hold a private key`);
    try {
      return { did, jwk: readPublicJwk(jwk) };
    } catch (error) {
      throw isDomainError(error) ? new Error(`${where}: ${error.message}`, { cause: error }) : error;
    }
  });
}
