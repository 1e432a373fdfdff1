/**
 * Does some work for a short time and returns how often per second of processor time: other work of the same machine
 * then matters least.
 */
export type Slice = () => Promise<number>;

/** The bound of a ratio. */
export type Goal = { atLeast: number } | { atMost: number };

/** One line of the table. */
export interface Line {
  work: string;
  ours: string;
  beside: string;
  ratio?: number;
  goal?: Goal;
}

const ROUNDS = 9;
const SLICE_MS = 100;

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** A slice that repeats `work` for `ms` milliseconds. */
export const repeat =
  (work: () => unknown, ms = SLICE_MS): Slice =>
  async () => {
    const usedBefore = cpuSeconds();
    const started = performance.now();
    let times = 0;
    while (performance.now() - started < ms) {
      const pending = work();
      if (pending instanceof Promise) await pending;
      times += 1;
    }
    return times / (cpuSeconds() - usedBefore);
  };

/** Returns the rates of all sides: each round runs one slice of each; the first rounds warm up and are not counted. */
export async function interleave<K extends string>(
  slices: Record<K, Slice>,
  { rounds = ROUNDS, warmUp = 3 } = {},
): Promise<Record<K, number[]>> {
  const names = Object.keys(slices) as K[];
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = -warmUp; round < rounds; round += 1) {
    // The order alternates, so that the garbage of one side does not always burden the same other.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const rate = await slices[name]();
      if (round >= 0) rates[name].push(rate);
    }
  }
  return rates;
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const upper = Math.floor(sorted.length / 2);
  const [a = 0, b = 0] = [sorted[sorted.length % 2 === 0 ? upper - 1 : upper], sorted[upper]];
  return (a + b) / 2;
}

/** Returns the median of the ratios of all rounds: the slices of a round share one state of the machine. */
export const ratioOf = (ours: readonly number[], theirs: readonly number[]): number =>
  median(ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN)));

/** Formats a rate: `12.3k/s`. */
export const perSecond = (rates: readonly number[]): string => {
  const rate = median(rates);
  return rate >= 10_000 ? `${(rate / 1000).toFixed(1)}k/s` : `${rate.toFixed(rate < 100 ? 1 : 0)}/s`;
};

/** Compares two sides of one interleaved run. */
export const compared = (
  { work, goal, named }: { work: string; goal?: Goal; named: string },
  ours: readonly number[],
  theirs: readonly number[],
): Line => ({
  work,
  ours: perSecond(ours),
  beside: `${perSecond(theirs)} ${named}`,
  ratio: ratioOf(ours, theirs),
  goal,
});

const isMet = (ratio: number, goal: Goal): boolean =>
  'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;

const goalText = (goal: Goal): string => ('atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`);

const verdict = ({ ratio, goal }: Line): string =>
  ratio === undefined || goal === undefined ? '' : isMet(ratio, goal) ? 'met' : 'MISSED';

/** Formats the table, one line per comparison. */
export function table(lines: readonly Line[]): string {
  const head = ['work', 'ours', 'beside', 'ratio', 'goal', ''];
  const rows = lines.map((line) => [
    line.work,
    line.ours,
    line.beside,
    line.ratio?.toFixed(2) ?? '',
    line.goal ? goalText(line.goal) : '',
    verdict(line),
  ]);
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  return [head, widths.map((width) => '-'.repeat(width)), ...rows]
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
