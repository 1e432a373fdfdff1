/** Writes what is delivered as a CycloneDX document, of what npm says of the lock file: the same for the same lock file. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleLicences, deliveredPackages } from './delivered.mjs';
import { buildUnlessFresh, ROOT } from './fresh-build.mjs';

const ARGS = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];

function sbom() {
  const all = JSON.parse(execFileSync('npm', ARGS, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
  const { timestamp: _moment, ...metadata } = all.metadata;
  const { component } = metadata;
  const { serialNumber: _random, ...document } = all;
  const delivered = new Set(deliveredPackages().map(({ name, version }) => `${name}@${version}`));
  const isDelivered = (ref) => ref === component['bom-ref'] || delivered.has(ref);
  return {
    ...document,
    // npm names the folder.
    metadata: { ...metadata, component: { ...component, name: component['bom-ref'].replace(/@[^@]*$/, '') } },
    components: all.components
      .filter((one) => isDelivered(one['bom-ref']))
      // What is bundled is for development to npm only.
      .map((one) => ({ ...one, properties: [] })),
    dependencies: all.dependencies
      .filter(({ ref }) => isDelivered(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isDelivered) })),
  };
}

await buildUnlessFresh({
  folder: 'dist/sbom',
  inputs: [...bundleLicences(), 'package.json', 'scripts/delivered.mjs', 'scripts/write-sbom.mjs'],
  build: (folder) => writeFileSync(join(folder, 'credenza.cdx.json'), `${JSON.stringify(sbom(), null, 1)}\n`),
});
