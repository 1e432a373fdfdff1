import { type ClaimPath, isWithin } from './disclosure.ts';

/** Claims that the holder can never withhold, by the paths of their member names. */
export type AlwaysDisclosed = readonly (readonly string[])[];

type DisclosedPath = Readonly<ClaimPath>;

/** The always disclosed claims that are single members of their document. */
export const topClaims = (names: readonly string[]): AlwaysDisclosed => names.map((name) => [name]);

/** The claim that the holder could withhold, if there were a disclosure at this place: that claim, within it or above it. */
export const hiddenByDisclosure = (place: DisclosedPath, claims: AlwaysDisclosed): string | undefined =>
  nameOf(claims.find((claim) => isWithin(place, claim) || isWithin(claim, place)));

/** The claim of which the holder could withhold a part, if the object or list at this place had digests. */
export const hiddenByDigests = (place: DisclosedPath, claims: AlwaysDisclosed): string | undefined =>
  nameOf(claims.find((claim) => isWithin(place, claim)));

const nameOf = (claim: readonly string[] | undefined): string | undefined => claim?.join('.');
