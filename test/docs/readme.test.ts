import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { contract } from '../support/documents/contract.ts';
import { startServer } from '../support/servers/server.ts';
import { expectDocumented } from './commands.ts';
import { blocksOf, sectionOf } from './tables.ts';

const readme = readFileSync('README.md', 'utf8');

/** The code of a section in one language. */
const blocks = (section: string, language: string): string[] => blocksOf(sectionOf(readme, section), language);

describe('README', () => {
  it('the commands of the tour print the documented output', async () => {
    const server = await startServer();
    try {
      await expectDocumented(sectionOf(readme, 'A five-minute tour'), server);
    } finally {
      await server.close();
    }
  });

  it('the two commands are those of the package', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(blocks('Start', 'sh')).to.deep.equal(['npm ci && npm start\n', 'npm ci && npm test\n']);
    expect(scripts).to.include.keys('start', 'test', 'demo', 'bench');
    // npm starts the server without a shell, so a signal to npm stops both.
    expect(scripts.start).to.match(/^exec /);
  });

  it('says of the package what it exports, and how it is found', () => {
    const { exports, keywords, author, bin } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const name of Object.keys(exports).filter((path) => path !== './package.json'))
      expect(readme).to.include(`\`${name.replace('.', 'credenza')}\``);
    for (const command of Object.keys(bin)) expect(readme).to.include(`\`npx ${command} serve\``);
    expect(keywords).to.include.members(['openid4vci', 'openid4vp', 'verifiable-credentials']);
    expect(author).to.match(/\S/);
  });

  it('names the version of the package, its lock file and all documents', async () => {
    const versionOf = (file: string): string => JSON.parse(readFileSync(file, 'utf8')).version;
    const documents = readdirSync('openapi').filter((name) => name.endsWith('.yaml'));
    const versions = [
      versionOf('package.json'),
      versionOf('package-lock.json'),
      /^Credenza (\S+)$/m.exec(readme)?.[1],
      ...documents.map((name) => /^ {2}version: (\S+)$/m.exec(readFileSync(`openapi/${name}`, 'utf8'))?.[1]),
    ];
    expect([...new Set(versions)]).to.have.length(1);
    expect((await contract).published).to.have.nested.property('info.version', versions[0]);
  });

  it('has less than 200 lines', () => {
    expect(readme.split('\n').length).to.be.below(200);
  });
});
