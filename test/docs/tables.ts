import { readFileSync } from 'node:fs';

/** The rows of the tables of a page whose first cell is code, as the texts of their cells. */
export const readRows = (file: string): string[][] => rowsOf(readFileSync(file, 'utf8'));

/** The same of a documentation. */
export function rowsOf(documentation: string): string[][] {
  const lines = documentation.split('\n');
  return lines
    .filter((line, at) => line.startsWith('| `') && !lines[at + 1]?.startsWith('|---'))
    .map((line) => line.slice(2, -2).split(' | '))
    .map((cells) => cells.map((cell) => cell.trim()));
}

/** The text between backticks. */
export const codeOf = (cell = ''): string => /^`(.*)`$/.exec(cell)?.[1] ?? '';

/** The section of a documentation below a heading of the second level. */
export const sectionOf = (documentation: string, heading: string): string =>
  documentation.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

/** The code in a documentation in one language. */
export const blocksOf = (documentation: string, language: string): string[] =>
  [...documentation.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code);
