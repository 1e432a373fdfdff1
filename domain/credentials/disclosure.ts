import type { Credential } from '../../ports/credential-formats.ts';
import { isObject } from '../foundation/json.ts';

/** Where a claim stands in a credential: member names and list positions. */
export type ClaimPath = (string | number)[];

/** Whether a path is another one or leads to something within it. */
export const isWithin = (path: readonly (string | number)[], outer: readonly (string | number)[]): boolean =>
  outer.every((part, index) => part === path[index]);

/** A claim of a credential; a list or an object only when it is empty. */
export interface Claim {
  path: ClaimPath;
  value: unknown;
}

/** What a verifier learns from any presentation of a credential, and what it learns only when the holder discloses it. */
interface Disclosure {
  /** Whether the credential can only be shown whole. */
  isWhole: boolean;
  disclosed: Claim[];
  withheld: Claim[];
}

/**
 * Returns what presenting a credential discloses, and what it does not: of what its holder can withhold, the claims at
 * the `shown` places are disclosed, and all of them where there are no places.
 */
export function disclosureOf(
  { claims, withholdable }: Pick<Credential, 'claims' | 'withholdable'>,
  shown: readonly ClaimPath[] | undefined,
): Disclosure {
  const isShown = (place: readonly (string | number)[]): boolean =>
    shown?.some((path) => isWithin(path, place) || isWithin(place, path)) ?? true;
  const isWithholdable = ({ path }: Claim): boolean =>
    withholdable?.some((outer) => isWithin(path, outer) && !isShown(outer)) ?? false;
  const leaves = leavesOf(claims);
  return {
    isWhole: withholdable === undefined,
    disclosed: leaves.filter((leaf) => !isWithholdable(leaf)),
    withheld: leaves.filter(isWithholdable),
  };
}

/** Returns every value of a JSON value that has no parts, with its path, in document order. */
function leavesOf(value: unknown, path: ClaimPath = []): Claim[] {
  const parts: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : [];
  if (parts.length === 0) return [{ path, value }];
  return parts.flatMap(([name, part]) => leavesOf(part, [...path, name]));
}
