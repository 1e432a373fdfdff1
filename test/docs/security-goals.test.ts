import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { partsOf, SUITES } from '../../scripts/suites.mjs';
import { leadsSomewhere, pathsIn } from './paths.ts';

const page = readFileSync('docs/security-goals.md', 'utf8');
const rows = page
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim()),
  );

describe('docs/security-goals.md', () => {
  it('has each goal once, in order, with what must happen and the tests that show it', () => {
    expect(rows.map(([number]) => Number(number))).to.deep.equal(Array.from({ length: 28 }, (_, at) => at + 1));
    for (const [number, attack = '', outcome = '', shown = ''] of rows) {
      expect(
        [attack.length, outcome.length].every((length) => length > 15),
        number,
      ).to.equal(true);
      expect(pathsIn(shown), number).to.have.length.above(0);
    }
  });

  it('names tests that a suite runs', () => {
    const run = new Set(SUITES.flatMap((suite) => partsOf(suite).flatMap(({ files }) => files)));
    const isRun = (path: string): boolean =>
      path.includes('*') ? leadsSomewhere(path) : run.has(path.replace('test/', ''));
    expect(rows.flatMap(([, , , shown = '']) => pathsIn(shown)).filter((path) => !isRun(path))).to.deep.equal([]);
  });

  it('names every test of the abuse suite and of endurance', () => {
    const named = new Set(pathsIn(page));
    const files = ['test/abuse', 'test/endurance'].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => `${folder}/${name}`),
    );
    expect(files).to.have.length.above(20);
    expect(files.filter((file) => !named.has(file))).to.deep.equal([]);
  });
});
