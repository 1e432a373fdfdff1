import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { parseHocon } from '../../adapters/config/hocon.ts';
import { CLOUDS } from '../../demo/kms/clouds.ts';
import { contract } from '../support/contract.ts';
import { startServer } from '../support/server.ts';
import { expectDocumented } from './commands.ts';
import { blocksOf, sectionOf } from './tables.ts';

const run = promisify(execFile);
const readme = readFileSync('README.md', 'utf8');

/** The code of a section in one language. */
const blocks = (section: string, language: string): string[] => blocksOf(sectionOf(readme, section), language);

/** The documented members with the values of a fake; tags stay as they are. @throws when the members differ */
function withValuesOf(documented: object, real: object | undefined): object {
  const entries = Object.entries(documented).map(([name, value]) => {
    const other = Reflect.get(real ?? {}, name);
    if (name === 'tags') return [name, value];
    if (other === undefined) throw new Error(`${name} is not a member of a configuration`);
    return [name, typeof value === 'object' ? withValuesOf(value, other) : other];
  });
  return Object.fromEntries(entries);
}

describe('README', () => {
  it('the commands of the tour print the documented output', async () => {
    const server = await startServer();
    try {
      await expectDocumented(sectionOf(readme, 'A five-minute tour'), server);
    } finally {
      await server.close();
    }
  });

  it('the commands of a tenant continue the tour and print the documented output', async () => {
    const { tokens } = await parseHocon(readFileSync('docs/config/superadmin-registration.conf', 'utf8'), {});
    const server = await startServer({ settings: { superadminRegistration: { tokens: tokens as object } } });
    const [start = ''] = blocks('A five-minute tour', 'sh');
    const section = sectionOf(readme, 'A tenant, from nothing to a verified credential');
    expect(section.match(/\bcall v\d|\bcurl -s \$/g)).to.have.length(10);
    try {
      await expectDocumented(`\`\`\`sh\n{ ${start} } > /dev/null\n\`\`\`\n${section}`, server);
    } finally {
      await server.close();
    }
  });

  it('the keys in a cloud are requests that the server accepts', async () => {
    const keys = blocks('Keys that stay in a cloud', 'json').map((text) => JSON.parse(text));
    expect(keys.map(({ backend }) => backend)).to.deep.equal(['kmsa-rest-api', 'kmsb-rest-api', 'kmsc-rest-api']);
    for (const [index, start] of Object.values(CLOUDS).entries()) {
      const cloud = await start();
      const server = await startServer({ settings: { outbound: { allow: ['127.0.0.1'] }, kms: cloud.settings } });
      const documented = keys[index];
      const key = { ...documented, config: withValuesOf(documented.config, cloud.key.config) };
      const { status, body } = await server.call('onboardIssuer', { json: { key } });
      expect(status, JSON.stringify(body)).to.equal(200);
      await server.close();
      await cloud.close();
    }
  });

  it('the two commands are those of the package', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(blocks('Start', 'sh')).to.deep.equal(['npm ci && npm start\n', 'npm ci && npm test\n']);
    expect(scripts).to.include.keys('start', 'test', 'demo', 'bench');
    // npm starts the server without a shell, so a signal to npm stops both.
    expect(scripts.start).to.match(/^exec /);
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

  it('the command for one test file runs one test file', async () => {
    const [, command = ''] = /One file of it: `npm run (test:one -- [^`]+)`/.exec(readme) ?? [];
    const { stdout } = await run('npm', ['run', '--silent', ...command.split(' ')]);
    expect(stdout).to.match(/[1-9]\d* passing/);
  });

  for (const file of [
    'README.md',
    ...readdirSync('docs')
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]) {
    it(`${file}: every link to a file of the project has a target`, () => {
      const links = [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) =>
        join(dirname(file), link),
      );
      expect(links.filter((link) => !existsSync(link))).to.deep.equal([]);
    });
  }
});
