import type { Colors } from './colors.ts';

/** The progress of resealing. */
interface ResealStep {
  pass: number;
  records: number;
  resealed: number;
}

/** The outcome of resealing. */
interface ResealOutcome {
  /** The id of the current master key. */
  keyId: string;
  isComplete: boolean;
  collections: Iterable<[string, { sealed: number; resealed: number; left: number; unreadable: number }]>;
}

/** Returns a line for the first report of each pass, then at most one per `everyMs` milliseconds. */
export function resealLines(now: () => number, everyMs = 1000): (step: ResealStep) => string {
  let last = { pass: 0, at: 0 };
  return ({ pass, records, resealed }) => {
    if (pass === last.pass && now() - last.at < everyMs) return '';
    last = { pass, at: now() };
    return `  pass ${pass}: ${records} records, ${resealed} resealed\n`;
  };
}

/** Renders the sealed collections as a table, below what the operator does next. */
export function renderReseal({ keyId, isComplete, collections }: ResealOutcome, colors: Colors): string {
  const all = [...collections].sort(([a], [b]) => (a < b ? -1 : 1));
  const sum = (name: 'left' | 'unreadable'): number => all.reduce((total, [, count]) => total + count[name], 0);
  const title = isComplete
    ? colors('good', `Everything is sealed under the current master key (${keyId}). The others can be left out.`)
    : colors(
        'bad',
        `Not everything is sealed under the current master key (${keyId}). ${advice(sum('left'), sum('unreadable'))}`,
      );
  const row = (name: string, cells: (string | number)[]): string =>
    `  ${name.padEnd(28)}${cells.map((cell) => String(cell).padStart(12)).join('')}\n`;
  const head = colors('quiet', row('', ['sealed', 'resealed', 'left', 'unreadable']).trimEnd());
  const rows = all.map(([name, { sealed, resealed, left, unreadable }]) =>
    row(name, [sealed, resealed, left, unreadable]),
  );
  return `${title}\n${head}\n${rows.join('')}`;
}

function advice(left: number, unreadable: number): string {
  if (unreadable > 0) return `No key of the ring unseals ${unreadable} records: add the key that sealed them.`;
  return `${left} records were under an older one in the last pass: make the new key the first one of every instance, then run this again.`;
}
