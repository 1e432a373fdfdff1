import type { KeyReference, PublicJwk } from '../../ports/key-service.ts';
import type { JsonObject } from '../foundation/json.ts';
import { thumbprint } from '../jose/jwk.ts';
import { privateJwkOf } from './backends/jwk.ts';

/** A key that was replaced, and is good until its end. */
interface RetiredKey {
  publicJwk: PublicJwk;
  /** The key itself, where it decrypts until then; one that signed is gone. */
  reference?: KeyReference;
  /** Milliseconds since the epoch. */
  until: number;
}

/** The key that is used and those that it replaced. */
export interface ServerKeySet {
  current: KeyReference;
  retired: RetiredKey[];
}

/** What the store has. A key that was made by one of the first versions and never replaced is its reference alone. */
export type StoredKeySet = ServerKeySet | KeyReference;

export const readKeySet = (stored: StoredKeySet): ServerKeySet =>
  'current' in stored ? stored : { current: stored, retired: [] };

/** Makes a new key current. The one before it verifies, or decrypts, until `until`; those whose time is over are dropped. */
export const rotated = (
  set: ServerKeySet,
  next: KeyReference,
  { now, until, decrypts }: { now: number; until: number; decrypts: boolean },
): ServerKeySet => ({
  current: next,
  retired: [
    { publicJwk: set.current.publicJwk, until, ...(decrypts && { reference: set.current }) },
    ...set.retired.filter((key) => key.until > now),
  ],
});

/** The public keys that verify now, by `kid`; all of them without one. */
export const verifyingKeys = ({ current, retired }: ServerKeySet, kid: string | undefined, now: number): PublicJwk[] =>
  [current.publicJwk, ...retired.filter(({ until }) => until > now).map(({ publicJwk }) => publicJwk)].filter(
    (jwk) => kid === undefined || thumbprint(jwk) === kid,
  );

/** A private JWK with its `kid`, and until when it decrypts. */
export interface DecryptingKey {
  jwk: JsonObject;
  /** Milliseconds since the epoch. */
  until: number;
}

/** The keys that decrypt. */
export const decryptingKeys = ({ current, retired }: ServerKeySet): DecryptingKey[] =>
  [{ reference: current, until: Number.POSITIVE_INFINITY }, ...retired].flatMap(({ reference, until }) => {
    const jwk = reference && privateJwkOf(reference);
    return jwk ? [{ jwk, until }] : [];
  });
