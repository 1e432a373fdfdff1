import type { PublicJwk } from '../../ports/key-service.ts';
import type { KeyPurpose } from '../dids/did-document.ts';
import type { DidKeys } from '../dids/did-resolver.ts';
import type { JsonObject } from '../foundation/json.ts';
import { isText } from '../foundation/json.ts';
import { failed, type PolicyOutcome, passed } from './policies/policy.ts';

/** A signed token and who is said to have signed it. */
export interface SignedToken {
  header: JsonObject;
  claims: JsonObject;
  /** The DID the token names as its issuer; without one, the DID of `kid` counts. */
  signer: string | undefined;
  /** What the key of a DID document must be listed for. */
  purpose: KeyPurpose;
  verify(jwk: PublicJwk): Promise<boolean>;
}

/** Whether a token is signed by a key of the DID that issued it; the result is its claims. */
export async function checkSignature(token: SignedToken, dids: DidKeys): Promise<PolicyOutcome> {
  const { kid } = token.header;
  const named = isText(kid) && kid.startsWith('did:') ? kid : undefined;
  const signer = token.signer?.split('#')[0] || named?.split('#')[0];
  if (!signer?.startsWith('did:')) return failed('The signer is not named by a DID');
  if (named !== undefined && named.split('#')[0] !== signer) return failed('The kid is of another DID than the signer');
  const relative = isText(kid) && kid.startsWith('#') ? `${signer}${kid}` : signer;
  const jwk = await dids.key(named ?? relative, token.purpose);
  return (await token.verify(jwk)) ? passed(token.claims) : failed('The signature is not valid');
}
