import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { codeOf, readRows, rowsOf, sectionOf } from './tables.ts';

const rows = readRows('docs/dependencies.md');
const packages = rows.filter((cells) => cells.length === 3);
const page = readFileSync('docs/dependencies.md', 'utf8');
const namesIn = (section: string) => rowsOf(sectionOf(page, section)).map(([name]) => codeOf(name));
const ownCode = rows.filter((cells) => cells.length === 4);
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** The licences of the packages in each bundle that browsers and callers run. */
const BUILT = [
  'dist/client/licences.txt',
  `dist/portal/${readdirSync('dist/portal').find((name) => /^licences-.*\.txt$/.test(name))}`,
];

describe('docs/dependencies.md', () => {
  it('has one row for each runtime dependency and no other', () => {
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    expect(namesIn('Runtime dependencies').sort()).to.deep.equal(installed.sort());
  });

  it('has one row for each optional peer and no other', () => {
    const peers = Object.keys(manifest.peerDependencies);
    expect(namesIn('Loaded where they are installed').sort()).to.deep.equal(peers.sort());
    for (const name of peers) expect(manifest.peerDependenciesMeta[name], name).to.deep.equal({ optional: true });
  });

  it('has one row for each package in what is built for browsers and callers, and no other', () => {
    const licences = BUILT.map((file) => readFileSync(file, 'utf8')).join('\n');
    const bundled = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+ \(.+\)$/gm)].map(([, name]) => name);
    expect(namesIn('In what is built for browsers and callers').sort()).to.deep.equal([...new Set(bundled)].sort());
  });

  it('states what each dependency and each piece of own code is for, and why', () => {
    expect(packages.length + ownCode.length).to.equal(rows.length);
    for (const cells of rows) for (const cell of cells) expect(cell, cells.join(' | ')).to.not.equal('');
  });

  it('names own code that exists', () => {
    expect(ownCode.length).to.be.greaterThan(15);
    expect(ownCode.map(([path]) => codeOf(path)).filter((path) => !existsSync(path))).to.deep.equal([]);
  });

  it('every version is exact', () => {
    const versions = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies };
    for (const [name, version] of Object.entries(versions))
      expect(version, name).to.match(/^(?:npm:[a-z0-9-]+@)?\d+\.\d+\.\d+$/);
  });
});
