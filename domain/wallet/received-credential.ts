import type { ParsedCredential, SignatureCheck } from '../../ports/credential-formats.ts';
import type { CredentialFormats } from '../credentials/formats.ts';
import { publicKeyOfDid } from '../dids/did-methods.ts';
import type { DidResolver } from '../dids/did-resolver.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { thumbprint } from '../jose/jwk.ts';
import type { IssuedCredential } from './issuance-client.ts';

/** A received credential and what it is checked with. */
export interface ReceivedCredential {
  issued: IssuedCredential;
  /** The DID it was requested for. */
  holder: string;
  formats: CredentialFormats;
  resolver: DidResolver;
}

const TRUSTED: SignatureCheck = { valid: true };

/**
 * Checks a received credential before it is stored: it parses as its format, it is about the holder and its issuer
 * signed it. An issuer whose keys cannot be looked up is trusted without a signature check.
 * @throws DomainError `BadRequest` saying what is wrong
 */
export async function verifyReceivedCredential(received: ReceivedCredential): Promise<void> {
  const { issued, holder, formats, resolver } = received;
  const parsed = await formats.supported(issued.format)?.codec.parse(issued.credential);
  if (!parsed) throw new DomainError('BadRequest', 'The format of the credential is not supported');
  if (parsed.subject && !isSameHolder(parsed.subject, holder))
    throw new DomainError('BadRequest', 'The issuer delivered a credential that is not about this holder');
  const check = await verifyIssuer(parsed, resolver);
  if (check.valid) return;
  throw check.refusal === 'signature'
    ? new DomainError('BadRequest', 'The signature of the delivered credential is not valid')
    : new DomainError('BadRequest', 'The delivered credential is signed with a key of another DID');
}

/** DIDs that contain the same key are one holder; an issuer that binds to keys alone names no subject at all. */
export function isSameHolder(subject: string, holder: string): boolean {
  if (subject === holder) return true;
  if (!containsKey(subject) || !containsKey(holder)) return false;
  return thumbprint(publicKeyOfDid(subject.split('#')[0] ?? '')) === thumbprint(publicKeyOfDid(holder));
}

const containsKey = (did: string): boolean => /^did:(jwk|key):/.test(did);

async function verifyIssuer(credential: ParsedCredential, dids: DidResolver): Promise<SignatureCheck> {
  const { issuer } = credential;
  if (issuer.kind === 'url') return TRUSTED;
  try {
    return await credential.verifyIssuer({ dids });
  } catch (error) {
    if (containsKey(issuer.id) || !isDomainError(error)) throw error;
    return TRUSTED;
  }
}
