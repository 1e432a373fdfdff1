import type { SignatureCheck, SignatureRefusal } from '../../ports/credential-formats.ts';
import type { DidKeys, KeyPurpose } from '../../ports/did-keys.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import type { PublishedKey } from '../../ports/published-keys.ts';
import { isText } from '../foundation/json.ts';

/** What a token says of the key that signed it. */
interface StatedSigner {
  /** The `kid` of the protected header (RFC 7515 §4.1.4). */
  kid: unknown;
  /** The signer as the token names it; without one, the DID of `kid` is the signer. */
  signer?: string;
  /** Whether the token must have an absolute DID URL as `kid`. */
  needsKid?: boolean;
}

/** The DID of a signer and the DID or DID URL of its key, or why there is none. */
type SignerKeyId = { did: string; keyId: string } | { refusal: Exclude<SignatureRefusal, 'signature'> };

/**
 * The only rule for which key may have signed a token: the signer is named by a DID, and the key id is that DID (which
 * must then have one key for the purpose), a DID URL of it, or a fragment relative to it. A key id of another form, such as a
 * thumbprint, says nothing about a DID: then too the DID must have one key. A key id of another DID, without a fragment
 * after `#` or that is not a text is refused.
 */
export function signerKeyId({ kid, signer, needsKid = false }: StatedSigner): SignerKeyId {
  const absolute = isText(kid) && kid.startsWith('did:') ? kid : undefined;
  const did = signer || absolute?.split('#')[0];
  if (!did?.startsWith('did:') || did.includes('#')) return { refusal: 'no-signer' };
  const keyId = absolute ?? (needsKid ? '' : relativeKeyId(kid, did));
  const isOwn = keyId === did || (keyId.startsWith(`${did}#`) && keyId.length > did.length + 1);
  return isOwn ? { did, keyId } : { refusal: 'other-did' };
}

function relativeKeyId(kid: unknown, did: string): string {
  if (kid !== undefined && !isText(kid)) return '';
  return kid?.startsWith('#') ? `${did}${kid}` : did;
}

/** A token whose signature is to be checked. */
export interface SignedToken extends StatedSigner {
  /** What the DID document must list the key for. */
  purpose: KeyPurpose;
  /** Whether a key signed the token. */
  verify(jwk: PublicJwk): Promise<boolean>;
}

/** Checks that a token is signed by a key of its signer's DID. @throws DomainError as `DidKeys.key` */
export async function checkSigner(token: SignedToken, dids: DidKeys): Promise<SignatureCheck> {
  const named = signerKeyId(token);
  if ('refusal' in named) return { valid: false, refusal: named.refusal };
  const { keyId } = named;
  const jwk = await dids.key(keyId, token.purpose);
  return (await token.verify(jwk)) ? { valid: true, key: { jwk, keyId } } : { valid: false, refusal: 'signature' };
}

/**
 * Checks that a token is signed by one of the keys that its signer publishes as a JWK Set: by the key that `kid` names,
 * or by any of them when there is no `kid`.
 */
export async function checkPublishedSigner(
  { kid, verify }: Pick<SignedToken, 'kid' | 'verify'>,
  published: readonly PublishedKey[],
): Promise<SignatureCheck> {
  const candidates = kid === undefined ? published : published.filter((key) => key.kid === kid);
  for (const { jwk } of candidates) if (await verify(jwk)) return { valid: true };
  return { valid: false, refusal: 'signature' };
}
