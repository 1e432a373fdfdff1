import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The file in which this process of a suite leaves its notes when it ends, beside those of the others; none when absent. */
const { SUITE_NOTES: file } = process.env;
// Processes that a test starts have none.
delete process.env.SUITE_NOTES;
const own = new Map<string, Set<string>>();

if (file)
  process.once('exit', () => {
    writeFileSync(file, JSON.stringify(Object.fromEntries([...own].map(([kind, texts]) => [kind, [...texts]]))));
  });

/** What this process notes of a kind. */
export function notes(kind: string): Set<string> {
  const texts = own.get(kind) ?? new Set();
  own.set(kind, texts);
  return texts;
}

/** What this process and those of its suite that have ended noted of a kind. */
export function allNotes(kind: string): Set<string> {
  const folder = file && dirname(file);
  const ended = folder ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : [];
  return new Set([...notes(kind), ...ended.flatMap((text) => JSON.parse(text)[kind] ?? [])]);
}
