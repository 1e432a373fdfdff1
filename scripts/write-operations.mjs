/** Writes lists of operations into docs/, from the OpenAPI documents. */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { joinDocuments, readDocuments } from './join-documents.mjs';

const LIST = /(<!-- Written by `npm run docs`[^\n]*-->\n)[\s\S]*?(<!-- end -->)/;

/** The pages with a list: which operations it has, and the text of them. */
const PAGES = {
  'security.md': {
    has: (operation) => operation['x-management'],
    text: (listed) => [
      '| Operation | What it does |',
      '|---|---|',
      ...listed.map(([call, { summary }]) => `| \`${call}\` | ${summary} |`),
    ],
  },
  'configuration.md': {
    has: (operation) => operation['x-rate-limit'] === 'open_endpoints',
    text: (listed) => listed.map(([call]) => `- \`${call}\``),
  },
};

/** The text of a page with the list of these documents. */
export function withOperations(name, text, { paths }) {
  const page = PAGES[name];
  const listed = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => page.has(operation))
      .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  );
  const list = ['', ...page.text(listed), '', ''].join('\n');
  return text.replace(LIST, (_, before, after) => before + list + after);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const name of Object.keys(PAGES)) {
    const place = new URL(`../docs/${name}`, import.meta.url);
    writeFileSync(place, withOperations(name, readFileSync(place, 'utf8'), joinDocuments(readDocuments())));
  }
