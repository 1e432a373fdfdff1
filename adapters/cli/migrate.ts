import type { Colors } from './colors.ts';

/** The progress of a migration. */
export interface MigrationStep {
  step: string;
  records: number;
  written: number;
}

/** The compared content of both databases. */
export interface MigrationOutcome {
  collections: Iterable<[string, { count: number; digest: string }]>;
  written: number;
}

/** Returns a line for the first report of each step, then at most one per `everyMs` milliseconds. */
export function progressLines(now: () => number, everyMs = 1000): (progress: MigrationStep) => string | undefined {
  let last = { step: '', at: 0 };
  return ({ step, records, written }) => {
    if (step === last.step && now() - last.at < everyMs) return undefined;
    last = { step, at: now() };
    return `  ${step}: ${records} records, ${written} written\n`;
  };
}

/** Renders the compared counts and digests as a table. */
export function renderMigration({ collections, written }: MigrationOutcome, colors: Colors): string {
  const rows = [...collections].map(
    ([name, { count, digest }]) => `  ${name.padEnd(28)} ${String(count).padStart(10)}  ${colors('quiet', digest)}`,
  );
  const title = colors('good', 'Both stores have the same content.');
  return `${title} ${written} records were written.\n${rows.join('\n')}\n`;
}
