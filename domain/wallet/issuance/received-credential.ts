import type {
  Credential,
  KeySources,
  ParsedCredential,
  SignatureCheck,
  SignatureRefusal,
} from '../../../ports/credential-formats.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { containsKey, publicKeyOfDid } from '../../dids/did-methods.ts';
import { DomainError, isDomainError } from '../../foundation/errors.ts';
import type { CredentialCopy } from '../../holdings/records.ts';
import { thumbprint } from '../../jose/jwk.ts';
import type { IssuedCredential } from './issuances.ts';

/** A received credential and what it is checked with. */
interface ReceivedCredential {
  issued: Pick<IssuedCredential, 'format' | 'type' | 'credential'>;
  /** The DID it was requested for. */
  holder: HolderDid;
  formats: CredentialFormats;
  keys: KeySources;
}

/** A DID of a wallet. */
export interface HolderDid {
  did: string;
  /** The thumbprint of its key; a did:jwk or did:key contains the key. */
  keyId?: string;
}

/** An issuer delivered a credential that the wallet does not take. */
export class UnacceptableCredential extends DomainError {
  constructor(message: string) {
    super('BadRequest', message);
  }
}

const TRUSTED: SignatureCheck = { valid: true };

const REFUSALS: Record<SignatureRefusal, string> = {
  'no-signer': 'The delivered credential is signed with a key that is not of its issuer',
  'other-did': 'The delivered credential is signed with a key of another DID',
  signature: 'The signature of the delivered credential is not valid',
  'certificate-period': 'The delivered credential was signed before or after the certificate of its signer was valid',
  digest: 'A digest in the signature of the delivered credential is not that of what it shows',
};

/**
 * Checks a received credential before it is stored, and returns it parsed: it parses as its format, it has the type that was offered, it is not
 * bound to another key, and its issuer signed it. It may be about another subject, such as a child. An issuer
 * whose keys cannot be looked up is trusted without a signature check.
 * @throws DomainError `BadRequest` saying what is wrong
 */
export async function verifyReceivedCredential(received: ReceivedCredential): Promise<ParsedCredential> {
  const { issued, holder, formats, keys } = received;
  const parsed = await formats.supported(issued.format)?.codec.parse(issued.credential);
  if (!parsed) throw new UnacceptableCredential('The format of the credential is not supported');
  if (issued.type !== undefined && parsed.type !== issued.type)
    throw new UnacceptableCredential('The issuer delivered a credential of another type than it offered');
  if (isBound(parsed) && !isIssuedTo(parsed, holder))
    throw new UnacceptableCredential('The issuer delivered a credential that is bound to the key of another holder');
  const check = await verifyIssuer(parsed, keys);
  if (!check.valid) throw new UnacceptableCredential(REFUSALS[check.refusal]);
  return parsed;
}

/** A credential that was checked. */
export interface VerifiedCredential {
  /** What it says, as each of its copies does. */
  parsed: ParsedCredential;
  /** Each with its own key; none for a credential that is issued to a DID of the wallet. */
  copies: CredentialCopy[];
}

/**
 * Checks a received credential, and each of its copies with the key of its own: no two are bound to one key.
 * @throws DomainError `BadRequest` saying what is wrong
 */
export async function verifyReceived(
  received: Omit<ReceivedCredential, 'issued'> & { issued: IssuedCredential },
): Promise<VerifiedCredential> {
  const { issued, formats } = received;
  const { keys, credential, copies = [] } = issued;
  if (!keys) return { parsed: await verifyReceivedCredential(received), copies: [] };
  const left = [...keys];
  const verified: CredentialCopy[] = [];
  const read: ParsedCredential[] = [];
  for (const document of [credential, ...copies]) {
    const parsed = await formats.supported(issued.format)?.codec.parse(document);
    const place = left.findIndex(({ holder: did }) => parsed && (!isBound(parsed) || isIssuedTo(parsed, { did })));
    const [key] = place < 0 ? [] : left.splice(place, 1);
    if (!key) throw foreignCopy();
    const own = { ...received, holder: { did: key.holder }, issued: { ...issued, credential: document } };
    read.push(await verifyReceivedCredential(own));
    verified.push({ document, ...key });
  }
  const [parsed] = read;
  if (!parsed) throw new UnacceptableCredential('The issuer delivered no copy of the credential');
  return { parsed, copies: verified };
}

/**
 * Finds the holder of each credential that was requested for several: the one that it is issued to, each of whom gets one.
 * One that is bound to no key, and about another, is for the next of them.
 * @throws DomainError `BadRequest` for one that is bound to another key, and for a second one of a holder
 */
export function holderFinder(formats: CredentialFormats) {
  const taken = new Set<string>();
  return async (
    { format, credential, wanted }: IssuedCredential,
    holders: readonly HolderDid[],
  ): Promise<HolderDid> => {
    const parsed = await formats.supported(format)?.codec.parse(credential);
    const copyOf = ({ did }: HolderDid) => JSON.stringify([wanted?.configurationId, wanted?.identifier, did]);
    const isFree = (one: HolderDid) => !taken.has(copyOf(one));
    const own = holders.find((one) => parsed && isIssuedTo(parsed, one));
    const found = own ?? (parsed && !isBound(parsed) ? holders.find(isFree) : undefined);
    if (!found || !isFree(found)) throw foreignCopy();
    taken.add(copyOf(found));
    return found;
  };
}

const foreignCopy = (): DomainError =>
  new UnacceptableCredential('The issuer delivered a copy that is bound to a key of another, or of another copy');

/** Whether the key that a credential is bound to is that of the DID; without such a key, whether the DID is its subject. */
export function isIssuedTo({ subject, holder }: Credential, { did, keyId }: HolderDid): boolean {
  if (holder?.jwk) {
    const own = keyId ?? (containsKey(did) ? thumbprint(publicKeyOfDid(did)) : undefined);
    return thumbprint(holder.jwk) === own;
  }
  const named = holder?.did ?? subject;
  return named !== undefined && isSameHolder(named, did);
}

/** The key that a credential is bound to, if it contains one; without such a key, that of its subject. */
export function boundKey({ subject, holder }: Credential): PublicJwk | undefined {
  const named = holder?.did ?? subject;
  return holder?.jwk ?? (named && containsKey(named) ? publicKeyOfDid(named.split('#')[0] ?? '') : undefined);
}

/** Whether a credential names what it is bound to; a DID that only repeats its subject says whom it is about. */
const isBound = ({ subject, holder }: Credential): boolean =>
  holder?.jwk !== undefined || (holder?.did !== undefined && holder.did !== subject);

/**
 * Whether the subject of a credential is the holder with this DID; undefined when it names no single subject, or one that
 * is no DID and a key that it is bound to.
 */
export function isAboutHolder({ subject, holder }: Credential, did: string): boolean | undefined {
  if (subject === undefined) return undefined;
  if (subject === did) return true;
  if (!subject.startsWith('did:')) return holder?.jwk ? undefined : false;
  try {
    return isSameHolder(subject, did);
  } catch (error) {
    // The subject is no DID after all.
    if (!isDomainError(error)) throw error;
    return false;
  }
}

/** DIDs that contain the same key are one holder. */
function isSameHolder(subject: string, holder: string): boolean {
  if (subject === holder) return true;
  if (!containsKey(subject) || !containsKey(holder)) return false;
  return thumbprint(publicKeyOfDid(subject.split('#')[0] ?? '')) === thumbprint(publicKeyOfDid(holder));
}

async function verifyIssuer(credential: ParsedCredential, keys: KeySources): Promise<SignatureCheck> {
  const { issuer } = credential;
  try {
    const check = await credential.verifyIssuer(keys);
    return issuer.kind === 'url' && !check.valid && check.refusal === 'no-signer' ? TRUSTED : check;
  } catch (error) {
    if (containsKey(issuer.id) || !isDomainError(error)) throw error;
    return TRUSTED;
  }
}
