import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect } from 'chai';
import {
  FOLDER,
  fileOf,
  keptDigests,
  PICTURES,
  type PictureName,
  sourcesOf,
  staleNames,
} from '../support/portal/pictures.ts';

const NAMES = Object.keys(PICTURES) as PictureName[];
const LARGEST = 60_000;
const LARGEST_TOGETHER = 500_000;
/** Shorter words do not say what a picture shows. */
const LEAST_WORDS = 5;

/** The alternative text of each picture in a page of the documentation. */
const shownIn = (page: string): [string, string][] =>
  [...readFileSync(page, 'utf8').matchAll(/!\[([^\]]+)\]\((?:docs\/)?pictures\/([\w-]+)\.png\)/g)].map(
    ([, text = '', name = '']) => [name, text],
  );

describe('the pictures of the documentation', () => {
  it('none is older than the page that it shows', async () => {
    expect(await staleNames(), 'run `npm run screenshots`, and commit what it wrote').to.deep.equal([]);
    expect(Object.keys(keptDigests()).sort()).to.deep.equal([...NAMES].sort());
  });

  it('a picture is as old as its page, the texts and parts of it, the frame and the styles; other areas do not count', async () => {
    for (const name of NAMES) {
      const picture = PICTURES[name];
      if ('served' in picture) continue;
      const { page, texts } = picture;
      const { files } = await sourcesOf(name);
      expect(files).to.include.members([`portal/${page}`, 'portal/shell/frame.tsx', 'portal/styles/parts.css']);
      const folders = files.filter((file) => file.startsWith('portal/areas/')).map(dirname);
      expect([...new Set(folders)]).to.deep.equal([dirname(`portal/${page}`)]);
      const sections = files.filter((file) => file.startsWith('portal/texts/en/'));
      expect(sections.map((file) => basename(file, '.ts')).sort()).to.deep.equal(['shell', ...texts].sort());
    }
  });

  it('each is small, and shown by README.md, docs/portal.md or docs/sign-in.md with words for those who do not see it', () => {
    const shown = ['README.md', 'docs/portal.md', 'docs/sign-in.md'].flatMap(shownIn);
    expect([...new Set(shown.map(([name]) => name))].sort()).to.deep.equal([...NAMES].sort());
    for (const [name, text] of shown) expect(text.split(' ').length, name).to.be.at.least(LEAST_WORDS);
    const sizes = NAMES.map((name) => statSync(fileOf(name)).size);
    expect(Math.max(...sizes)).to.be.at.most(LARGEST);
    expect(sizes.reduce((sum, size) => sum + size)).to.be.at.most(LARGEST_TOGETHER);
    expect(readdirSync(FOLDER).filter((file) => file.endsWith('.png'))).to.have.length(NAMES.length);
  });
});
