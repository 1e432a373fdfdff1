import type { KeyReference, PublicJwk } from '../../ports/key-service.ts';
import { thumbprint } from '../jose/jwk.ts';

/** A key that signs no more and verifies until its end. */
export interface RetiredKey {
  publicJwk: PublicJwk;
  /** Milliseconds since the epoch. */
  until: number;
}

/** The key that signs and those that it replaced. */
export interface ServerKeySet {
  current: KeyReference;
  retired: RetiredKey[];
}

/** What the store has: version 0.3.0 kept the reference of the one key. */
export type StoredKeySet = ServerKeySet | KeyReference;

export const readKeySet = (stored: StoredKeySet): ServerKeySet =>
  'current' in stored ? stored : { current: stored, retired: [] };

/** Makes a new key current. The one before it verifies until `until`; those whose time is over are dropped. */
export const rotated = (
  set: ServerKeySet,
  next: KeyReference,
  { now, until }: { now: number; until: number },
): ServerKeySet => ({
  current: next,
  retired: [{ publicJwk: set.current.publicJwk, until }, ...set.retired.filter((key) => key.until > now)],
});

/** The public keys that verify now, by `kid`; all of them for a token without one, which versions up to 0.3.0 made. */
export const verifyingKeys = ({ current, retired }: ServerKeySet, kid: string | undefined, now: number): PublicJwk[] =>
  [current.publicJwk, ...retired.filter(({ until }) => until > now).map(({ publicJwk }) => publicJwk)].filter(
    (jwk) => kid === undefined || thumbprint(jwk) === kid,
  );
