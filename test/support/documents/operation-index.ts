import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contract } from './contract.ts';

const FOLDER = 'test/spec';
export const INDEX = `${FOLDER}/README.md`;

/**
 * The operations of the document, each with the files under `test/spec` that test it, both in alphabetical order: those
 * that are named after it or have a title that begins with it, else those that call it.
 */
export async function testedOperations(): Promise<Map<string, string[]>> {
  const names = (readdirSync(FOLDER, { recursive: true }) as string[])
    .filter((name) => name.endsWith('.ts'))
    .toSorted();
  const files = names.map((name) => ({ name, ...subjectsOf(name, readFileSync(join(FOLDER, name), 'utf8')) }));
  const { operations } = await contract;
  const testsOf = (id: string): string[] => {
    const titled = files.filter(({ titles }) => titles.has(id));
    return (titled.length > 0 ? titled : files.filter(({ called }) => called.has(id))).map(({ name }) => name);
  };
  const ids = operations.map(({ operationId }) => operationId).toSorted();
  return new Map(ids.map((id) => [id, testsOf(id)]));
}

function subjectsOf(name: string, source: string): Record<'titles' | 'called', Set<string>> {
  const words = (pattern: RegExp) => Array.from(source.matchAll(pattern), ([, word = '']) => word);
  const [own = ''] = /^[^.-]+/.exec(basename(name)) ?? [];
  const isOverList = /describe\(\s*[a-zA-Z]+,/.test(source);
  const listed = isOverList ? [...words(/(?<!call\()'(?=(\w+)')/g), ...words(/^ +(\w+):/gm)] : [];
  return {
    titles: new Set([own, ...words(/(?:describe|it)\(\s*['"`](\w+)/g), ...listed]),
    called: new Set(words(/'(\w+)'/g)),
  };
}

/** The index as Markdown. */
export function operationIndex(tested: ReadonlyMap<string, string[]>): string {
  const rows = [...tested].map(
    ([id, files]) => `| \`${id}\` | ${files.map((file) => `[${file}](${file})`).join(' ')} |`,
  );
  return [
    '# Operations and their tests',
    '',
    'Written by `npm run test:index`; `coverage.test.ts` fails when it is out of date.',
    '',
    '| Operation | Tests |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  void testedOperations().then((tested) => writeFileSync(INDEX, operationIndex(tested)));
