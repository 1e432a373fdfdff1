/** Writes openapi/<service>.yaml as <service>.json, which a start reads many times faster: into dist/openapi. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';

const source = new URL('../openapi/', import.meta.url);

/** Writes all documents into a folder, whose URL ends with a slash. */
export async function writeDocuments(target) {
  await mkdir(target, { recursive: true });
  for (const name of (await readdir(source)).filter((name) => name.endsWith('.yaml'))) {
    const document = parse(await readFile(new URL(name, source), 'utf8'));
    await writeFile(new URL(name.replace('.yaml', '.json'), target), JSON.stringify(document));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await writeDocuments(new URL('../dist/openapi/', import.meta.url));
