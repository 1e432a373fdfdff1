import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { codeOf, readRows } from './tables.ts';

const rows = readRows('docs/dependencies.md');
const packages = rows.filter((cells) => cells.length === 3);
const ownCode = rows.filter((cells) => cells.length === 4);
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

describe('docs/dependencies.md', () => {
  it('has one row for each runtime dependency and no other', () => {
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    expect(packages.map(([name]) => codeOf(name)).sort()).to.deep.equal(installed.sort());
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
