/** What the two builds for browsers have in common: they do nothing while their inputs are the same, and name what they contain. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The files of these folders and files, in a stable order. */
const filesOf = (paths) =>
  paths.flatMap((path) =>
    statSync(join(ROOT, path)).isDirectory()
      ? readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .sort()
      : [join(ROOT, path)],
  );

function digestOf(paths) {
  const hash = createHash('sha256');
  for (const file of filesOf(paths)) hash.update(`${file.slice(ROOT.length)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

/** Empties a folder and builds into it, unless its last build had the same inputs. */
export async function buildUnlessFresh({ folder, inputs, build }) {
  const mark = join(ROOT, folder, 'inputs.sha256');
  const digest = digestOf([...inputs, 'package-lock.json', 'scripts/fresh-build.mjs']);
  if (existsSync(mark) && readFileSync(mark, 'utf8') === digest) return;
  rmSync(join(ROOT, folder), { recursive: true, force: true });
  mkdirSync(join(ROOT, folder), { recursive: true });
  await build(join(ROOT, folder));
  writeFileSync(mark, digest);
}

/**
 * A text with the licences of the packages whose code is in a bundle, from the metafile of esbuild, and of `more`.
 * @throws Error when one has no licence file
 */
export function licencesOf(metafile, more = []) {
  const bundled = Object.keys(metafile.inputs).flatMap(
    (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(file)?.[1] ?? [],
  );
  const licences = [...new Set([...bundled, ...more])].sort().map((name) => {
    const folder = join(ROOT, 'node_modules', name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no licence file`);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return licences.join(`\n${'-'.repeat(72)}\n\n`);
}
