/**
 * Writes `credenza/client` to dist/client/: one module without dependencies for browsers and Node, its types with those of
 * the packages in it, and their licences.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { buildUnlessFresh, licencesOf, ROOT } from './fresh-build.mjs';

/** The types of packages that ours name, and where they are written. */
const PACKAGE_TYPES = { 'openapi-fetch': 'fetch.d.mts', 'openapi-typescript-helpers': 'helpers.d.mts' };

await buildUnlessFresh({
  folder: 'dist/client',
  inputs: ['client', 'openapi/types.ts', 'scripts/build-client.mjs'],
  build: async (folder) => {
    const { metafile } = await build({
      absWorkingDir: ROOT,
      entryPoints: ['client/client.ts'],
      outdir: folder,
      bundle: true,
      platform: 'neutral',
      mainFields: ['module', 'main'],
      format: 'esm',
      target: 'es2022',
      metafile: true,
      logLevel: 'warning',
    });
    writeFileSync(join(folder, 'licences.txt'), licencesOf(metafile, Object.keys(PACKAGE_TYPES)));
    writeTypes(folder);
  },
});

function writeTypes(folder) {
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  const args = [compiler, '-p', 'client/tsconfig.json', '--outDir', join(folder, 'types')];
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('The types of the client could not be written');
  const types = join(folder, 'types');
  mkdirSync(join(types, 'packages'), { recursive: true });
  for (const [name, file] of Object.entries(PACKAGE_TYPES)) {
    copyFileSync(join(ROOT, `node_modules/${name}/dist/index.d.mts`), join(types, 'packages', file));
    rewrite(join(types, 'packages', file));
  }
  rewrite(join(types, 'client/client.d.ts'));
}

/** Makes the imports of a file of types those of files that are published. */
function rewrite(file) {
  const isOfPackages = dirname(file).endsWith('packages');
  const place = isOfPackages ? '.' : '../packages';
  const text = readFileSync(file, 'utf8').replaceAll(/(from ')([^']+)(')/g, (_, before, path, after) => {
    const named = PACKAGE_TYPES[path] ? `${place}/${PACKAGE_TYPES[path].replace('.d.mts', '.mjs')}` : path;
    return `${before}${named.replace(/\.ts$/, '.js')}${after}`;
  });
  writeFileSync(file, text);
}
