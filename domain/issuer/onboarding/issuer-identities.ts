import type { PublicJwk } from '../../../ports/key-service.ts';
import { at, catching, invalidField, replacing } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { isSameKey } from '../../jose/jwk.ts';
import { readVerificationKey } from '../../jose/verification-keys.ts';
import type { IssuerIdentity } from '../credential-issuer.ts';

/** A DID and its public key, as the operator writes them. */
export interface WrittenIdentity {
  did: string;
  jwk: JsonObject;
}

export const isSameIdentity = (left: IssuerIdentity, right: IssuerIdentity): boolean =>
  left.did === right.did && isSameKey(left.jwk, right.jwk);

/** Reads configured identities. @throws DomainError `BadRequest` naming the entry whose key is not a public key */
export function readIssuerIdentities(entries: readonly WrittenIdentity[]): IssuerIdentity[] {
  return entries.map(({ did, jwk }, index) => ({ did, jwk: at([index, 'jwk'], () => readPublicKey(jwk)) }));
}

/** Reads a public key that its owner states. @throws DomainError `BadRequest` also for a private one */
export const readPublicKey = (jwk: JsonObject): PublicJwk => catching(asField, () => readVerificationKey(jwk));

const asField = replacing(undefined, ({ message }) => invalidField([], `is no public key: ${message}`));
