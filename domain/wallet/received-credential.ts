import type { CredentialFormats, OpenedCredential } from '../../ports/credential-formats.ts';
import type { PublicJwk } from '../../ports/key-service.ts';
import { publicKeyOfDid } from '../dids/did-methods.ts';
import type { DidResolver } from '../dids/did-resolver.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { isText } from '../foundation/json.ts';
import { thumbprint } from '../jose/jwk.ts';
import type { IssuedCredential } from './issuance-client.ts';

/** What a received credential is held against. */
export interface ReceivedCredential {
  delivery: IssuedCredential;
  /** The DID it was requested for. */
  holder: string;
  formats: CredentialFormats;
  resolver: DidResolver;
}

/**
 * Checks a received credential before it is kept: it opens as its format, it is about the holder and its issuer signed
 * it. An issuer whose keys cannot be found out is taken on trust; one that can be looked up must have signed.
 * @throws DomainError `BadRequest` saying what is wrong
 */
export async function verifyReceivedCredential({
  delivery,
  holder,
  formats,
  resolver,
}: ReceivedCredential): Promise<void> {
  const opened = formats[delivery.format]?.open(delivery.credential);
  if (!opened) throw new DomainError('BadRequest', 'The format of the credential is not supported');
  if (opened.subject && !isSameHolder(opened.subject, holder))
    throw new DomainError('BadRequest', 'The issuer delivered a credential that is not about this holder');
  const key = await issuerKey(opened, resolver);
  if (key === undefined || (await opened.verify(key))) return;
  throw new DomainError('BadRequest', 'The signature of the delivered credential is not valid');
}

/** DIDs that spell out the same key are one holder; an issuer that binds to keys alone names no subject at all. */
function isSameHolder(subject: string, holder: string): boolean {
  if (subject === holder) return true;
  const spellsOut = (did: string): boolean => /^did:(jwk|key):/.test(did);
  if (!spellsOut(subject) || !spellsOut(holder)) return false;
  return thumbprint(publicKeyOfDid(subject.split('#')[0] ?? '')) === thumbprint(publicKeyOfDid(holder));
}

/** The key that must have signed; undefined when it cannot be known. */
async function issuerKey({ header, issuer }: OpenedCredential, resolver: DidResolver): Promise<PublicJwk | undefined> {
  if (!issuer.startsWith('did:')) return undefined;
  const kid = isText(header.kid) && header.kid.startsWith('did:') ? header.kid : issuer;
  if (kid.split('#')[0] !== issuer)
    throw new DomainError('BadRequest', 'The delivered credential is signed with a key of another DID');
  try {
    return await resolver.key(kid, 'assertionMethod');
  } catch (error) {
    const isLocal = /^did:(jwk|key):/.test(issuer);
    if (isLocal || !isDomainError(error)) throw error;
    return undefined;
  }
}
