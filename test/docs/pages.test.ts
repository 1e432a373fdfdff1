import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { leadsSomewhere, pathsIn } from './paths.ts';
import { codeOf, rowsOf, sectionOf } from './tables.ts';

const run = promisify(execFile);
const text = (file: string): string => readFileSync(file, 'utf8');
const manifest = JSON.parse(text('package.json'));

const pagesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

const PAGES = [...pagesIn('.'), ...pagesIn('docs'), ...pagesIn('.github'), ...pagesIn('.github/ISSUE_TEMPLATE')];

/** The fragments that a page has: one for each heading, as hosting platforms name them. */
const fragmentsOf = (file: string): string[] =>
  [...text(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Where the links of a page to the project lead: a file, and a fragment of it. */
const linksOf = (file: string): { file: string; fragment: string }[] =>
  [...text(file).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)].map(([, path = '', fragment = '']) => ({
    file: path === '' ? file : join(dirname(file), path),
    fragment,
  }));

describe('Pages', () => {
  for (const page of PAGES) {
    it(`${page}: every link to a file of the project has a target, and every fragment a heading`, () => {
      const broken = linksOf(page).filter(
        ({ file, fragment }) =>
          !existsSync(file) || (fragment !== '' && file.endsWith('.md') && !fragmentsOf(file).includes(fragment)),
      );
      expect(broken).to.deep.equal([]);
    });

    it(`${page}: every path of the project that it names leads to a file or a folder`, () => {
      expect(pathsIn(text(page)).filter((path) => !leadsSomewhere(path))).to.deep.equal([]);
    });
  }

  it('a path that leads nowhere is noticed: in braces, with a star, and a folder', () => {
    const planted = 'See `domain/{jose,planted}/`, `docs/planted*.md`, docs/README*.md and `test/planted.test.ts`.';
    const nowhere = pathsIn(planted).filter((path) => !leadsSomewhere(path));
    expect(nowhere).to.deep.equal(['domain/planted/', 'docs/planted*.md', 'test/planted.test.ts']);
  });

  it('docs/README.md has every page of the folder, and each of these says whom it is for', () => {
    const pages = pagesIn('docs').filter((file) => file !== 'docs/README.md');
    const linked = linksOf('docs/README.md').map(({ file }) => file);
    expect(pages.filter((file) => !linked.includes(file))).to.deep.equal([]);
    expect(pages.filter((file) => !/^# .+\n\nFor /.test(text(file)))).to.deep.equal([]);
  });

  it('CONTRIBUTING.md has every command of the package', () => {
    const rows = rowsOf(sectionOf(text('CONTRIBUTING.md'), 'Build and test')).map(([command]) => codeOf(command));
    const named = [...text('CONTRIBUTING.md').matchAll(/`npm (?:run )?([a-z:]+)[^`]*`/g)].map(([, name]) => name);
    expect(rows).to.include.members(['npm ci', 'npm test']);
    expect([...new Set(named)].sort()).to.deep.equal(['ci', ...Object.keys(manifest.scripts)].sort());
  });

  it('CONTRIBUTING.md: the command for one test file runs one test file', async () => {
    const [, command = ''] = /One file of it: `npm run (test:one -- [^`]+)`/.exec(text('CONTRIBUTING.md')) ?? [];
    const { stdout } = await run('npm', ['run', '--silent', ...command.split(' ')]);
    expect(stdout).to.match(/[1-9]\d* passing/);
  });

  it('CHANGELOG.md has the release of the package first, and each release with what data it reads, as the upgrades are', () => {
    const releases = text('CHANGELOG.md').split('\n## ').slice(1);
    const versions = releases.map((release) => release.split(' ')[0]);
    const upgrades = [...text('docs/upgrading.md').matchAll(/^## From (\S+) to (\S+)$/gm)];
    expect(versions[0]).to.equal(manifest.version);
    expect(versions).to.deep.equal([...upgrades.map(([, , to]) => to), upgrades.at(-1)?.[1]]);
    expect(
      releases.filter((release) => !/^\S+ - (?:Unreleased|\d{4}-\d\d-\d\d)\n\nData: /.test(release)),
    ).to.deep.equal([]);
  });

  it('SECURITY.md supports the release of the package, and .nvmrc names a Node that it runs on', () => {
    const [, minor] = /^(\d+\.\d+)\./.exec(manifest.version) ?? [];
    expect(text('SECURITY.md')).to.include(`| the latest release, ${minor} | yes |`);
    expect(manifest.engines.node).to.match(new RegExp(`^>=${text('.nvmrc').trim()}\\.`));
  });
});
