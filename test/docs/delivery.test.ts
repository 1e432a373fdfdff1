import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { deliveredPackages, licencesPage } from '../../scripts/delivered.mjs';

const SBOM = 'dist/sbom/credenza.cdx.json';

/** The licences that what is delivered may be under: none of them asks anything of what a server serves. */
const LICENCES = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'PSF-2.0', 'Unlicense'];

/** What the package contains: each file has its row, and each row its files. */
const CONTENTS: readonly RegExp[] = [
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|LICENSES\.md)$/,
  /^bin\/(credenza|node-version)\.mjs$/,
  /^dist\/(main|xml-worker|token-process)\.js(\.map)?$/,
  /^dist\/[a-z-]+-[A-Z0-9]{8}\.js(\.map)?$/,
  /^dist\/openapi\/openapi\.json$/,
  /^dist\/client\/(client\.js(\.map)?|licences\.txt)$/,
  /^dist\/client\/types\/(client|openapi|packages)\/[a-z-]+\.d\.m?ts$/,
  /^dist\/portal\/[\w.-]+\.(js|css|html|txt|json)(\.br|\.gz)?$/,
  /^dist\/sbom\/credenza\.cdx\.json$/,
  /^openapi\/([a-z0-9-]+\.yaml|types\.ts)$/,
  /^openapi\/config\/[_a-z0-9-]+\.schema\.json$/,
  /^openapi\/defaults\/[a-z-]+\.json$/,
  /^docs\/([A-Za-z0-9-]+\.md|overview\.svg)$/,
  /^docs\/config\/[_a-z0-9-]+\.conf$/,
  /^docs\/pictures\/([a-z-]+\.png|digests\.json)$/,
  /^deploy\/(Dockerfile(\.dockerignore)?|compose(\.three-nodes)?\.yaml|credenza\.service)$/,
  /^deploy\/config\/(nginx|one-node\/[a-z-]+|three-nodes\/[a-z-]+)\.conf$/,
  /^deploy\/helm\/credenza\/((Chart|values)\.yaml|values\.schema\.json|templates\/[\w-]+\.(yaml|tpl|txt))$/,
  /^deploy\/proxies\/(nginx\.conf|Caddyfile|haproxy\.cfg)$/,
  /^deploy\/proxies\/management\/(nginx\.conf|Caddyfile|traefik\.yaml)$/,
  /^deploy\/monitoring\/(alerts\.yaml|grafana-dashboard\.json)$/,
  /^examples\/(sign-in|verify-button)\/[a-z-]+\.(mjs|conf)$/,
  /^scripts\/x5c-token\.mjs$/,
];

interface Component {
  'bom-ref': string;
  purl: string;
  licenses: object[];
}

describe('what is delivered', () => {
  const packages = deliveredPackages();
  const names = packages.map(({ name, version }) => `${name}@${version}`);

  it('LICENSES.md lists it as `npm run docs` writes it', () => {
    expect(readFileSync('LICENSES.md', 'utf8')).to.equal(licencesPage());
  });

  it('is under licences that permit it', () => {
    const refused = packages.filter(
      ({ licence }) => !licence.split(/[() ]+/).some((one) => LICENCES.includes(one)) || / (AND|WITH) /.test(licence),
    );
    expect(refused).to.deep.equal([]);
  });

  it('its CycloneDX document has the same packages, with licences, digests and what each depends on', () => {
    const { bomFormat, metadata, components, dependencies, ...rest } = JSON.parse(readFileSync(SBOM, 'utf8'));
    expect(bomFormat).to.equal('CycloneDX');
    expect(rest).to.not.have.any.keys('serialNumber', 'timestamp');
    const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(metadata.component).to.include({ name, version, purl: `pkg:npm/${name}@${version}` });
    expect(components.map((one: Component) => one['bom-ref']).sort()).to.deep.equal(names.toSorted());
    for (const one of components) {
      expect(one.purl, one['bom-ref']).to.match(/^pkg:npm\/[\w%./-]+@\d+\.\d+\.\d+$/);
      expect(one.licenses, one['bom-ref']).to.have.length(1);
      expect(one.hashes[0].alg, one['bom-ref']).to.equal('SHA-512');
    }
    const known = new Set([`${name}@${version}`, ...names]);
    for (const { ref, dependsOn } of dependencies)
      expect([ref, ...dependsOn].filter((one) => !known.has(one))).to.deep.equal([]);
  });

  it('rows: the package has these files and no others', () => {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const [{ files }] = JSON.parse(
      execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    const paths = (files as { path: string }[]).map(({ path }) => path);
    expect(paths.filter((path) => !CONTENTS.some((row) => row.test(path)))).to.deep.equal([]);
    expect(CONTENTS.filter((row) => !paths.some((path) => row.test(path)))).to.deep.equal([]);
  });
});
