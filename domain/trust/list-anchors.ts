import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import type { ListedCertificate, SignedTrustList, TrustListContent } from '../../ports/codecs/trust-lists.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { isPassed, isReached } from '../jose/jwt-claims.ts';
import { decideChain } from './chain-trust.ts';
import type { TrustAnchor } from './trust-anchors.ts';

/** An anchor as its list describes it. */
export interface ListedAnchor extends TrustAnchor, Omit<ListedCertificate, 'certificate' | 'docTypes'> {}

/** A list whose signature was verified, or that needs none. */
export interface TrustedList extends Omit<TrustListContent, 'entries'> {
  anchors: readonly ListedAnchor[];
}

/** Who may sign lists: signers themselves, or the authorities above them. */
export type ListSigners = readonly ParsedCertificate[];

/** What a list is judged with; `now` in milliseconds since the epoch. */
interface ListJudgement {
  certificates: Certificates;
  now: number;
}

/** How far the clock of the publisher may be ahead of ours, in milliseconds. */
const SKEW_MS = 60_000;

/**
 * Returns what one of the signers signed. The certificate that is attached to the signature must be that of a signer or end
 * at one; without an attached certificate, the key of each signer is tried.
 * @throws DomainError `BadRequest` when none of them signed the list
 */
export async function verifiedContent(
  list: SignedTrustList,
  signers: ListSigners,
  { certificates, now }: ListJudgement,
): Promise<TrustListContent> {
  const anchors = signers.map((certificate) => ({ certificate }));
  const chains = list.chain.length > 0 ? [list.chain] : signers.map(({ der }) => [der]);
  let reason = 'no signer is known';
  for (const chain of chains) {
    const decision = decideChain({ chain, anchors, now, purpose: 'list' }, certificates);
    const jwk = decision.trusted ? parsed(chain[0], certificates)?.publicKey.jwk : undefined;
    const content = jwk && (await list.verify(jwk));
    if (content) return content;
    reason = decision.trusted ? 'the signature is not valid' : decision.reason;
  }
  throw new DomainError('BadRequest', `The trust list is not signed by a trusted signer: ${reason}`);
}

/** The anchors of a list; entries that are no certificates that can be read here are none. */
export function anchorsOf({ entries, ...list }: TrustListContent, certificates: Certificates): TrustedList {
  return {
    ...list,
    anchors: entries.flatMap(({ certificate: der, ...facts }) => {
      const certificate = parsed(der, certificates);
      return certificate ? { ...facts, certificate } : [];
    }),
  };
}

function parsed(der: Uint8Array | undefined, certificates: Certificates): ParsedCertificate | undefined {
  try {
    return der && certificates.parse(der);
  } catch (error) {
    if (isDomainError(error, 'BadRequest')) return undefined;
    throw error;
  }
}

/** Why a list does not count at `now`; undefined when it does. One without `nextUpdate` is never out of date. */
export function listViolation(
  { issuedAt, nextUpdate }: Pick<TrustedList, 'issuedAt' | 'nextUpdate'>,
  now: number,
): ListViolation | undefined {
  if (!isReached(issuedAt, { now, skewMs: SKEW_MS })) return 'early';
  return nextUpdate !== undefined && isPassed(nextUpdate, { now }) ? 'stale' : undefined;
}

/** Why a list does not count, with a sentence for each. */
export const LIST_VIOLATIONS = {
  early: 'The trust list is from the future',
  stale: 'The trust list is out of date: its next update is overdue',
} as const;
type ListViolation = keyof typeof LIST_VIOLATIONS;
