import { createHash } from 'node:crypto';

/**
 * Two tiers of one suite: `npm run test:hard` tries whole products and long floods, `npm test` a part of them with the
 * same assertions. `TEST_SEED` chooses the part: that of the day unless it is given, so that a run can be repeated.
 */
const { TEST_TIER = 'usual', TEST_SEED = String(Math.floor(Date.now() / 86_400_000)) } = process.env;

/** What holds in this run, of what holds in each tier. */
export const inTier = <T>({ hard, usual }: { hard: T; usual: T }): T => (TEST_TIER === 'hard' ? hard : usual);

/** A number from 0 to below `count` that the seed and a text decide. */
function chosen(count: number, text: string): number {
  return createHash('sha256').update(`${TEST_SEED} ${text}`).digest().readUInt32BE() % count;
}

/** A part of a product, in its order: for each key, one element that the seed chooses. */
export function oneOfEach<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  const taken = new Set([...groups].map(([key, group]) => group[chosen(group.length, key)]));
  return all.filter((one) => taken.has(one));
}

/** Those of a list for one of many turns, such as fields that all are tried with a list of values. */
export function inTurn<T>(all: readonly T[], turn: number, every = 8): readonly T[] {
  const step = Math.min(every, all.length);
  const first = chosen(step, 'turn') + turn;
  return inTier({ hard: all, usual: all.filter((_, at) => (at + first) % step === 0) });
}

/** Two values of different axes. */
const pairsOf = (values: readonly string[]): string[] =>
  values.flatMap((one, at) => values.slice(at + 1).map((other, n) => `${at} ${one} ${at + n + 1} ${other}`));

/**
 * A part of a product of three axes or more, in its order, with every pair of values of two axes that the product has:
 * few faults need three. An element is taken when it has a pair that none before it had, in an order of the seed.
 */
export function pairwise<T>(all: readonly T[], axesOf: (one: T) => readonly string[]): T[] {
  const ranked = all.map((one) => ({ one, axes: axesOf(one), rank: chosen(2 ** 32, axesOf(one).join()) }));
  const seen = new Set<string>();
  const taken = new Set<T>();
  for (const { one, axes } of ranked.sort((a, b) => a.rank - b.rank)) {
    const fresh = pairsOf(axes).filter((pair) => !seen.has(pair));
    if (fresh.length > 0) taken.add(one);
    for (const pair of fresh) seen.add(pair);
  }
  return all.filter((one) => taken.has(one));
}
