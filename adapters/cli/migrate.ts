import type { Colors } from './colors.ts';

/** What a migration is doing. */
export interface MigrationStep {
  step: string;
  records: number;
  written: number;
}

/** What both databases were found to hold. */
export interface MigrationOutcome {
  collections: Iterable<[string, { count: number; digest: string }]>;
  written: number;
}

/** Gives a line of progress for the first report of each step and then at most one per `everyMs`. */
export function progressLines(now: () => number, everyMs = 1000): (progress: MigrationStep) => string | undefined {
  let last = { step: '', at: 0 };
  return ({ step, records, written }) => {
    if (step === last.step && now() - last.at < everyMs) return undefined;
    last = { step, at: now() };
    return `  ${step}: ${records} records, ${written} written\n`;
  };
}

/** The counts and digests that were compared, as a table. */
export function renderMigration({ collections, written }: MigrationOutcome, paint: Colors): string {
  const rows = [...collections].map(
    ([name, { count, digest }]) => `  ${name.padEnd(28)} ${String(count).padStart(10)}  ${paint('quiet', digest)}`,
  );
  const title = paint('good', 'Both stores hold the same.');
  return `${title} ${written} records were written.\n${rows.join('\n')}\n`;
}
