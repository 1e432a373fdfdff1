/**
 * Refuses long lines in the documents, the code and Markdown: 160 characters are read without moving the eye or the window.
 * A line may be longer by one long word (a URL, a key, a pattern); rows of Markdown tables and files that programs write
 * are apart. `node scripts/check-lines.mjs` looks at everything under version control.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const LIMIT = 160;
const CHECKED = /\.(?:tsx?|mjs|cjs|yaml|md)$/;

/** The numbers of the lines of a file that are too long, from 1. */
export function longLines(file, source) {
  const isTable = (line) => file.endsWith('.md') && /^\s*\|/.test(line);
  const rest = (line) => line.length - Math.max(...line.split(/\s+/).map((word) => word.length));
  const isLong = (line) => line.length > LIMIT && !isTable(line) && rest(line) > LIMIT / 2;
  return source.split('\n').flatMap((line, index) => (isLong(line) ? [index + 1] : []));
}

/** The files of the project that are checked. */
export const checkedFiles = () =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => CHECKED.test(file) && existsSync(file));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = checkedFiles().flatMap((file) =>
    longLines(file, readFileSync(file, 'utf8')).map((line) => `${file}:${line}`),
  );
  for (const place of found) console.error(`${place}: more than ${LIMIT} characters`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
