import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { checkedFiles, longLines } from '../../scripts/check-lines.mjs';

describe('the lines of the project', () => {
  const words = (count: number): string => 'word '.repeat(count).trim();

  it('are refused above 160 characters', () => {
    expect(longLines('a.ts', [words(32), words(33), ''].join('\n'))).to.deep.equal([2]);
    expect(longLines('a.yaml', `description: ${words(32)}`)).to.deep.equal([1]);
    expect(longLines('a.md', words(33))).to.deep.equal([1]);
  });

  it('may have one long word, and a row of a Markdown table is as long as its cells', () => {
    expect(longLines('a.yaml', `  example: '${'x'.repeat(500)}'`)).to.deep.equal([]);
    expect(longLines('a.yaml', `${words(20)} ${'x'.repeat(500)}`)).to.deep.equal([1]);
    expect(longLines('a.md', `| ${words(40)} |`)).to.deep.equal([]);
    expect(longLines('a.ts', `| ${words(40)} |`)).to.deep.equal([1]);
  });

  it('are no longer than that in any file', () => {
    const files = checkedFiles();
    expect(files).to.include.members(['openapi/common.yaml', 'ports/store.ts']);
    expect(files.filter((file) => longLines(file, readFileSync(file, 'utf8')).length > 0)).to.deep.equal([]);
  });
});
