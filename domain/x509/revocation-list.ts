import type { RevocationListContent, RevokedCertificate } from '../../ports/certificate-maker.ts';
import { DomainError } from '../foundation/errors.ts';
import { epochSeconds, floorToSeconds } from '../foundation/time.ts';

const DAY_MS = 86_400_000;
/** How long a signed list is published before the next one is signed. */
export const SIGNED_EVERY_MS = DAY_MS;
/** How long a signed list is valid: its key may be out of reach for the days between. */
export const LIST_VALID_MS = 7 * DAY_MS;
/** The most certificates that a list has at a time. */
export const MAX_REVOKED = 1000;

/** A certificate that was revoked, with the last moment of its validity. */
export interface RevokedSigner extends RevokedCertificate {
  notAfter: number;
}

/** The list of an authority: what was revoked, and what was signed last. */
export interface RevocationList {
  revoked: readonly RevokedSigner[];
  last?: {
    number: number;
    thisUpdate: number;
    /** Base64; absent when certificates were revoked since. */
    der?: string;
  };
}

/** The signed list, unless another one is due. */
export const publishedNow = (list: RevocationList, now: number): string | undefined =>
  publishedWithin(list, now, SIGNED_EVERY_MS);

/** The signed list while it is valid and complete, for when the key cannot sign. */
export const publishedStill = (list: RevocationList, now: number): string | undefined =>
  publishedWithin(list, now, LIST_VALID_MS);

const publishedWithin = ({ last }: RevocationList, now: number, ms: number): string | undefined =>
  last && now < last.thisUpdate + ms ? last.der : undefined;

/**
 * The list with a certificate that is revoked; what was revoked before stays as it is, so that the same value is returned.
 * @throws DomainError `Conflict` when it is full
 */
export function revoking<L extends RevocationList>(list: L, wanted: RevokedSigner): L {
  if (revokedIn(list, wanted.serialNumber)) return list;
  const { last } = list;
  const before = last ? withoutEnded(list.revoked, last.thisUpdate) : list.revoked;
  if (before.length >= MAX_REVOKED)
    throw new DomainError('Conflict', `The list has ${MAX_REVOKED} certificates that are still valid`);
  return withoutSignature({ ...list, revoked: [...before, wanted] });
}

/** What a list says of a certificate. */
export const revokedIn = ({ revoked }: RevocationList, serialNumber: string): RevokedSigner | undefined =>
  revoked.find((one) => one.serialNumber === serialNumber);

/** The same list, of which another one has to be signed, as after a backup was restored. */
export const withoutSignature = <L extends RevocationList>(list: L): L => ({
  ...list,
  ...(list.last && { last: { number: list.last.number, thisUpdate: list.last.thisUpdate } }),
});

/** The content of a list, but for its issuer. */
interface ListContent extends Omit<RevocationListContent, 'issuer'> {
  revoked: readonly RevokedSigner[];
}

/**
 * What the next list says. Its number is the time in seconds, or the next number: no restored backup makes it go back. A
 * certificate that ended is left out when a list after its end had it (RFC 5280 §3.3).
 */
export function nextList({ revoked, last }: RevocationList, now: number): ListContent {
  const thisUpdate = floorToSeconds(now);
  return {
    number: Math.max(epochSeconds(now), (last?.number ?? 0) + 1),
    thisUpdate,
    nextUpdate: thisUpdate + LIST_VALID_MS,
    revoked: last ? withoutEnded(revoked, last.thisUpdate) : revoked,
  };
}

/** The list after it was signed. */
export const signedList = <L extends RevocationList>(
  list: L,
  { number, thisUpdate, revoked }: ListContent,
  der: string,
): L => ({ ...list, revoked, last: { number, thisUpdate, der } });

const withoutEnded = (revoked: readonly RevokedSigner[], lastUpdate: number): readonly RevokedSigner[] =>
  revoked.filter(({ notAfter }) => notAfter >= lastUpdate);
