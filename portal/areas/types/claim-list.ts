import type { DescribedClaim } from '../../forms/fields.ts';

/** The claims of a type in their order, each before those inside it. */
export type Claims = readonly DescribedClaim[];

type ClaimPath = DescribedClaim['path'];

const startsWith = (path: ClaimPath, start: ClaimPath): boolean => start.every((part, at) => path[at] === part);

const isSame = (one: ClaimPath, other: ClaimPath): boolean => one.length === other.length && startsWith(one, other);

const above = ({ path }: DescribedClaim): ClaimPath => path.slice(0, -1);

/** Where a claim and those inside it end. */
function endOf(claims: Claims, index: number): number {
  const start = claims[index]?.path ?? [];
  const next = claims.findIndex(
    ({ path }, at) => at > index && !(startsWith(path, start) && path.length > start.length),
  );
  return next < 0 ? claims.length : next;
}

/** Whether claims stand inside this one: an object, or a list of objects. */
export const hasInside = ({ type, items }: Pick<DescribedClaim, 'type' | 'items'>): boolean =>
  type === 'object' || (type === 'list' && items === 'object');

/** How deep a claim stands inside others. */
export const depthOf = ({ path }: DescribedClaim): number => path.filter((part) => part !== null).length - 1;

/** Adds a claim without a name, inside another one or at the end. */
export function added(claims: Claims, inside?: number): Claims {
  const parent = inside === undefined ? undefined : claims[inside];
  if (inside === undefined || !parent) return [...claims, { path: [''], type: 'text' }];
  const path = [...parent.path, ...(parent.type === 'list' ? [null] : []), ''];
  return claims.toSpliced(endOf(claims, inside), 0, { path, type: 'text' });
}

/** Takes a claim away, with those inside it. */
export const removed = (claims: Claims, index: number): Claims => claims.toSpliced(index, endOf(claims, index) - index);

/** Renames a claim, also in the paths of those inside it. */
export function renamed(claims: Claims, index: number, name: string): Claims {
  const start = claims[index]?.path ?? [];
  const end = endOf(claims, index);
  return claims.map((claim, at) =>
    at < index || at >= end ? claim : { ...claim, path: claim.path.with(start.length - 1, name) },
  );
}

/** Gives a claim another kind; those inside it go when the new kind has none inside, its example in any case. */
export function withKind(claims: Claims, index: number, kind: Pick<DescribedClaim, 'type' | 'items'>): Claims {
  const { items: _, example: __, ...claim } = (claims[index] ?? { path: [] }) as DescribedClaim & { example?: unknown };
  const changed = { ...claim, ...kind };
  const kept = claims.slice(index + 1, endOf(claims, index));
  const inside = hasInside(kind) ? kept.map((one) => ({ ...one, path: movedPath(one.path, changed) })) : [];
  return claims.toSpliced(index, kept.length + 1, changed, ...inside);
}

/** A path inside a list of objects has a null that one inside an object has not. */
function movedPath(path: ClaimPath, { path: start, type }: DescribedClaim): ClaimPath {
  const rest = path.slice(start.length).filter((part, at) => !(at === 0 && part === null));
  return [...start, ...(type === 'list' ? [null] : []), ...rest];
}

/** The claim before which one goes when it is moved up: the one before it that stands as deep; undefined for the first. */
function before(claims: Claims, index: number): number | undefined {
  const claim = claims[index];
  if (!claim) return undefined;
  const found = claims.slice(0, index).findLastIndex((one) => isSame(above(one), above(claim)));
  return found < 0 ? undefined : found;
}

export const isFirst = (claims: Claims, index: number): boolean => before(claims, index) === undefined;

/** Moves a claim up, with those inside it. */
export function movedUp(claims: Claims, index: number): Claims {
  const to = before(claims, index);
  if (to === undefined) return claims;
  const block = claims.slice(index, endOf(claims, index));
  return claims.toSpliced(index, block.length).toSpliced(to, 0, ...block);
}
