import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { startServer } from '../support/server.ts';

const run = promisify(execFile);
const readme = readFileSync('README.md', 'utf8');

/** The commands of a section, and what it says they print. */
function blocks(section: string, language: string): string[] {
  const [, text = ''] = readme.split(`## ${section}\n`);
  return [...(text.split('\n## ')[0] ?? '').matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, code = '']) => code,
  );
}

describe('README', () => {
  it('the tour works word for word and prints what it says', async () => {
    const server = await startServer();
    try {
      const script = blocks('A five-minute tour', 'sh').join('\n').replaceAll('http://127.0.0.1:7001', server.url);
      const { stdout } = await run('bash', ['-euc', script]);
      const port = new URL(server.url).port;
      const expected = blocks('A five-minute tour', 'text').join('').replaceAll('7001', port);
      const pattern = expected
        .split('…')
        .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('.*');
      expect(stdout).to.match(new RegExp(`^${pattern}$`));
    } finally {
      await server.close();
    }
  });

  it('the two commands are those of the package', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(blocks('Start', 'sh')).to.deep.equal(['npm ci && npm start\n', 'npm ci && npm test\n']);
    expect(scripts).to.include.keys('start', 'test', 'demo', 'bench');
  });

  for (const file of [
    'README.md',
    ...readdirSync('docs')
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]) {
    it(`${file}: every link to a file of the project leads somewhere`, () => {
      const links = [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) =>
        join(dirname(file), link),
      );
      expect(links.filter((link) => !existsSync(link))).to.deep.equal([]);
    });
  }
});
