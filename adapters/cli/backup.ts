import type { Colors } from './colors.ts';

/** What a backup is and holds. */
interface BackupReport {
  /** RFC 3339. */
  createdAt: string;
  /** The version of the program that made it. */
  program: string;
  store: string;
  /** The id of the master key that opens it. */
  keyId: string;
  /** How many records each collection has. */
  collections: ReadonlyMap<string, number>;
}

/** Renders a title, what a backup says of itself, and its collections as a table. */
export function renderBackup(title: string, report: BackupReport, colors: Colors): string {
  const { createdAt, program, store, keyId, collections } = report;
  const facts = [
    ['Made', `${createdAt} by Credenza ${program}`],
    ['Of', store],
    ['Master key', keyId],
  ].map(([name = '', text = '']) => `  ${colors('quiet', name.padEnd(16))} ${text}\n`);
  const rows = [...collections]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `  ${name.padEnd(30)}${String(count).padStart(10)}\n`);
  return `${colors('good', title)}\n${facts.join('')}${rows.join('')}`;
}
