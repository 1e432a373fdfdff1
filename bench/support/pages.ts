import { type Line, perSecond, ratioOf } from './harness.ts';

/** How many records a page has. */
export const PAGE = 100;
/** The few and the many records that are paged through. */
export const [FEW, MANY] = [10_000, 1_000_000];

/** A page of one parent: the `PAGE` newest after `offset`. */
export interface PageOf {
  count: number;
  offset: number;
}

/** The pages that are measured; the last has the goal. */
export const PAGES: readonly PageOf[] = [
  { count: FEW, offset: 0 },
  { count: FEW, offset: 1000 },
  { count: MANY, offset: 0 },
  { count: MANY, offset: 1000 },
  { count: MANY, offset: 100_000 },
  { count: MANY, offset: 900_000 },
];

/** Returns the parent of this many records. */
export const parentOf = (count: number): string => `acme.dids${count}`;

/** Returns the query of a page through the port. */
export const queryFor = ({ count, offset }: PageOf) =>
  ({ parent: parentOf(count), order: 'created-', offset, limit: PAGE }) as const;

/** A page in words. */
export const titleOf = ({ count, offset }: PageOf): string =>
  `${PAGE} of ${count.toLocaleString('en')} at ${offset.toLocaleString('en')}`;

/** Compares the times of two rates; only the page at the largest offset has a goal. */
export function timeRatio(
  { work, named, page, atMost }: { work: string; named: string; page: PageOf; atMost: number },
  ours: readonly number[],
  theirs: readonly number[],
): Line {
  const goal = page === PAGES.at(-1) ? { goal: { atMost } } : {};
  const beside = `${perSecond(theirs)} ${named}`;
  return { work, ours: perSecond(ours), beside, ratio: ratioOf(theirs, ours), ...goal };
}
