import type { Colors } from './colors.ts';

/** Renders which records of a restored store are void or changed. */
export function renderRestored(
  counts: ReadonlyMap<string, { voided: number; changed: number }>,
  colors: Colors,
): string {
  const title = colors('good', 'What was good once before the backup is void. Servers can start.');
  const row = (name: string, cells: (string | number)[]): string =>
    `  ${name.padEnd(30)}${cells.map((cell) => String(cell).padStart(10)).join('')}\n`;
  const rows = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { voided, changed }]) => row(name, [voided, changed]));
  return `${title}\n${colors('quiet', row('', ['void', 'changed']).trimEnd())}\n${rows.join('')}`;
}
