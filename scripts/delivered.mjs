/** What is delivered with the package: what an installation fetches, and what is bundled for browsers and callers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './fresh-build.mjs';

const read = (file) => readFileSync(join(ROOT, file), 'utf8');

/** The texts with the licences of what is bundled, which the build wrote. */
export const bundleLicences = () => [
  'dist/client/licences.txt',
  ...readdirSync(join(ROOT, 'dist/portal'))
    .filter((name) => /^licences-.*\.txt$/.test(name))
    .map((name) => `dist/portal/${name}`),
];

/** The packages in a text with licences. */
const bundledIn = (text) =>
  [...text.matchAll(/^(\S+) (\d+\.\d+\.\d+) \((.+)\)$/gm)].map(([, name, version, licence]) => ({
    name,
    version,
    licence,
  }));

/** The packages of the lock file that an installation without `--omit` of the package fetches. */
const installed = () =>
  Object.entries(JSON.parse(read('package-lock.json')).packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(
      ([
        path,
        { name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), version, license },
      ]) => ({
        name,
        version,
        licence: license,
      }),
    );

/**
 * Each delivered package once, by name and version.
 * @returns {{name: string, version: string, licence: string, isBundled: boolean}[]}
 */
export function deliveredPackages() {
  const bundled = bundleLicences().flatMap((file) => bundledIn(read(file)));
  const all = new Map();
  for (const [isBundled, packages] of [
    [true, bundled],
    [false, installed()],
  ])
    for (const one of packages) {
      const key = `${one.name}@${one.version}`;
      all.set(key, { ...one, isBundled: isBundled || (all.get(key)?.isBundled ?? false) });
    }
  const order = new Intl.Collator('en', { numeric: true });
  return [...all.entries()].toSorted(([a], [b]) => order.compare(a, b)).map(([, one]) => one);
}

/** The page LICENSES.md. */
export function licencesPage() {
  const rows = deliveredPackages().map(
    ({ name, version, licence, isBundled }) => `| ${name} | ${version} | ${licence} | ${isBundled ? 'yes' : ''} |`,
  );
  return `# Licences of what is delivered

Credenza is under the [Apache License 2.0](LICENSE). These are the packages that an installation of it fetches, and those
whose code is bundled for browsers and callers, each with the licence that its manifest states. Their texts are in the packages;
those of what is bundled are in \`dist/client/licences.txt\` and in a file that every page of the portal links. \`npm run docs\`
writes this page of the lock file; the same list as CycloneDX is \`dist/sbom/credenza.cdx.json\`.

| Package | Version | Licence | Bundled |
|---|---|---|---|
${rows.join('\n')}
`;
}
