import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contract } from './contract.ts';

const FOLDER = 'test/spec';
export const INDEX = `${FOLDER}/README.md`;

/** The operations of the document, each with the files under `test/spec` that test it, both in alphabetical order. */
export async function testedOperations(): Promise<Map<string, string[]>> {
  const names = (readdirSync(FOLDER, { recursive: true }) as string[]).filter((name) => name.endsWith('.ts'));
  const files = names.map((name) => ({ name, source: readFileSync(join(FOLDER, name), 'utf8') }));
  const { operations } = await contract;
  const ids = operations.map(({ operationId }) => operationId).toSorted();
  return new Map(
    ids.map((id) => [
      id,
      files
        .filter((file) => isTestOf(id, file))
        .map(({ name }) => name)
        .toSorted(),
    ]),
  );
}

/** The file is named after the operation, or a `describe` is: by its title, or by a variable over a list of names. */
function isTestOf(id: string, { name, source }: { name: string; source: string }): boolean {
  if (/^[^.-]+/.exec(basename(name))?.[0] === id) return true;
  if (new RegExp(`describe\\(\\s*['"\`]${id}\\b`).test(source)) return true;
  return /describe\(\s*[a-zA-Z]+,/.test(source) && new RegExp(`(?<!call\\()'${id}'|^ +${id}:`, 'm').test(source);
}

/** The index as Markdown. */
export async function operationIndex(): Promise<string> {
  const rows = [...(await testedOperations())].map(
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
  void operationIndex().then((text) => writeFileSync(INDEX, text));
