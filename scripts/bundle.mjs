/** Bundles the service into dist/: a start reads a dozen files of ours instead of some seven hundred. Packages stay packages. */
import { readdirSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The command, and what it runs as a thread and as a process of its own. */
const ENTRIES = ['composition/main.ts', 'adapters/trust-lists/xml-worker.ts', 'adapters/kms/pkcs11/token-process.ts'];

/** What other scripts write to dist/. */
const OTHERS = new Set(['openapi', 'client', 'portal', 'sbom']);

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ENTRIES,
  entryNames: '[name]',
  outdir: 'dist',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  metafile: true,
  logLevel: 'warning',
});
const written = new Set(Object.keys(metafile.outputs).map((file) => basename(file)));
for (const { name } of readdirSync(`${root}/dist`, { withFileTypes: true }))
  if (!written.has(name) && !OTHERS.has(name)) rmSync(`${root}/dist/${name}`, { recursive: true });
