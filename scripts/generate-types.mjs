/** Writes openapi/types/<service>.ts from openapi/<service>.yaml; with --check, fails when a committed file is stale. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const check = process.argv.includes('--check');
const root = new URL('../openapi/', import.meta.url);
const documents = (await readdir(root)).filter((name) => /^[a-z]+\.yaml$/.test(name) && name !== 'common.yaml');
let stale = false;
for (const name of documents) {
  const text = `/** Generated from openapi/${name} by \`npm run types\`. Do not edit. */\n\n${astToString(
    await openapiTS(new URL(name, root), { emptyObjectsUnknown: true, silent: true }),
  )}`;
  const target = new URL(`types/${name.replace('.yaml', '.ts')}`, root);
  const before = await readFile(target, 'utf8').catch(() => '');
  if (before === text) continue;
  if (check) {
    console.error(`openapi/types/${name.replace('.yaml', '.ts')} is stale: run \`npm run types\` and commit it`);
    stale = true;
  } else await writeFile(target, text);
}
process.exit(stale ? 1 : 0);
