/** Writes openapi/<service>.yaml as <service>.json, which a start reads many times faster, into a folder: dist/openapi unless one is named. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const source = new URL('../openapi/', import.meta.url);
const target = process.argv[2] ?? fileURLToPath(new URL('../dist/openapi/', import.meta.url));
await mkdir(target, { recursive: true });
for (const name of (await readdir(source)).filter((name) => name.endsWith('.yaml'))) {
  const document = parse(await readFile(new URL(name, source), 'utf8'));
  await writeFile(join(target, name.replace('.yaml', '.json')), JSON.stringify(document));
}
