/** Writes the list of the management operations into docs/security.md, from the OpenAPI documents. */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { joinDocuments, readDocuments } from './join-documents.mjs';

const PAGE = new URL('../docs/security.md', import.meta.url);
const LIST = /(<!-- Written by `npm run docs`[^\n]*-->\n)[\s\S]*?(<!-- end -->)/;

/** The page with the list of these documents. */
export function withManagement(page, { paths }) {
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation['x-management'])
      .map(([method, { summary }]) => `| \`${method.toUpperCase()} ${path}\` | ${summary} |`),
  );
  const table = ['', '| Operation | What it does |', '|---|---|', ...rows, '', ''].join('\n');
  return page.replace(LIST, (_, before, after) => before + table + after);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(PAGE, withManagement(readFileSync(PAGE, 'utf8'), joinDocuments(readDocuments())));
