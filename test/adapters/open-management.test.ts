import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ConfigurationError } from '../../adapters/config/errors.ts';
import { readSettings } from '../../adapters/config/read-settings.ts';
import { contract } from '../support/documents/contract.ts';
import { runCommandProcess } from '../support/processes/process.ts';

const TOKEN = 'an-operator-token-of-36-characters--';
const ELSEWHERE = 'https://vc.example.org';

describe('who may manage', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const environment = (more: Record<string, string>) => ({ CONFIG_DIR: folder, DATA_DIR: folder, PORT: '0', ...more });
  const services = (text: string) => writeFile(join(folder, 'services.conf'), text);
  const problems = async (HOST: string, text: string): Promise<string[]> => {
    await services(text);
    return readSettings(environment({ HOST })).then(
      () => [],
      (error: ConfigurationError) => error.problems.map(({ file, field, message }) => `${file} ${field} ${message}`),
    );
  };
  const run = async (command: string, more: Record<string, string>) => {
    const started = runCommandProcess([command], environment(more));
    return { code: await started.ended, text: started.output.out + started.output.err };
  };

  for (const host of ['127.0.0.1', '127.8.9.10', '::1', 'localhost'])
    it(`${host}: nothing need be said`, async () => {
      expect(await problems(host, '')).to.deep.equal([]);
    });

  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'vc.example.org', '127.example.org'])
    it(`${host}: must be said, and both choices are accepted`, async () => {
      const [problem, ...more] = await problems(host, '');
      expect(problem).to.match(/^services\.conf management must be said.*\btoken\b.*\bopen\b/);
      expect(more).to.deep.equal([]);
      expect(await problems(host, 'management = open')).to.deep.equal([]);
      expect(await problems(host, `management = token, managementToken = "${TOKEN}"`)).to.deep.equal([]);
    });

  const wrong: [string, string][] = [
    ['management = token', 'managementToken is required'],
    [`managementToken = "${TOKEN}"`, 'management must be token'],
    [`management = open, managementToken = "${TOKEN}"`, 'management must be token'],
    ['management = token, managementToken = "hunter2hunter2hunter2hunter2hun"', 'managementToken '],
    ['management = token, managementToken = "hunter2 hunter2 hunter2 hunter2 hunter2"', 'managementToken '],
    ['management = shut', 'management '],
  ];
  for (const [text, problem] of wrong)
    it(`refuses ${text}, never showing a token`, async () => {
      const found = await problems('127.0.0.1', text);
      expect(found[0]).to.include(`services.conf ${problem}`);
      expect(found.join()).to.not.include(TOKEN).and.not.include('hunter2');
    });

  for (const command of ['serve', 'check'])
    it(`${command} ends with 1 and says so on another address`, async () => {
      const { code, text } = await run(command, { HOST: '0.0.0.0' });
      expect(text).to.include('services.conf management: must be said');
      expect(code).to.equal(1);
    });

  it('check lists what is open to others: by its own address or by its public URL', async () => {
    const calls = (await contract).operations.filter(({ isManagement }) => isManagement);
    const places: Record<string, string>[] = [{ HOST: '0.0.0.0' }, { PUBLIC_URL: ELSEWHERE }];
    const listed = (text: string) => [...text.matchAll(/^ +((?:DELETE|GET|POST|PUT) \/.*)$/gm)].map(([, call]) => call);
    for (const place of places) {
      await services('management = open');
      const { code, text } = await run('check', place);
      expect(code, text).to.equal(0);
      expect(text).to.include(`${calls.length} operations need no login`);
      expect(listed(text).sort()).to.deep.equal(calls.map(({ method, path }) => `${method} ${path}`).sort());
    }
  });

  it('check lists what this process serves only, and nothing on loopback or with a token', async () => {
    await services('services = [ status ]');
    const { text } = await run('check', { PUBLIC_URL: ELSEWHERE });
    expect(text).to.include('3 operations need no login').and.not.include('POST /raw/jwt/sign');
    expect((await run('check', {})).text).to.not.include('need no login');
    await services(`management = token, managementToken = "${TOKEN}"`);
    const shut = await run('check', { HOST: '0.0.0.0' });
    expect(shut.code).to.equal(0);
    expect(shut.text).to.not.include('need no login').and.not.include(TOKEN);
  });

  it('the first lines of a server count what is open to others', async () => {
    await services('services = [ issuer ]\nstopDelaySeconds = 0');
    const server = runCommandProcess(['serve'], environment({ PUBLIC_URL: ELSEWHERE }));
    try {
      await server.says(/Open management +\d+ operations need no login .*docs\/security\.md#management-operations/);
    } finally {
      await server.stop();
    }
  });
});
