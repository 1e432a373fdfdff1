import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { plain } from '../../adapters/cli/colors.ts';
import { renderReference } from '../../adapters/cli/reports.ts';
import { REFERENCE_FILES } from '../../adapters/config/reference-files.ts';
import { readReferenceFolder } from '../../adapters/config/reference-folder.ts';
import { runs } from '../support/runs/property-runs.ts';

describe('a configuration folder of the reference implementation', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-moving-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = (files: Record<string, string>) =>
    Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, `${name}.conf`), text)));
  const read = async (files: Record<string, string>, environment: Record<string, string> = {}) => {
    await write(files);
    const report = await readReferenceFolder(folder, environment);
    const lines = report.lines.map(({ file, name, verdict, text }) => `${verdict} ${file} ${name}: ${text}`);
    return { ...report, lines };
  };

  it('each feature, member and section has a line', async () => {
    const { lines, isWhole } = await read({
      _features:
        'enabledFeatures = [\n admin # always\n dev-mode\n trusted-ca\n other-thing\n]\ndisabledFeatures = [ rejectionreason, openapi, entra ]',
      web: 'webHost = "0.0.0.0"\nwebPort = 3000\nsurprise = 1',
      'rate-limit': 'persistence { type = memory }\nissuer2_token_endpoint { requestsPerMinute = few }',
      license: 'token = abc',
      mine: 'a = 1',
    });
    expect(isWhole).to.equal(true);
    expect(lines).to.deep.equal([
      'understood _features.conf admin: is always on',
      'missing _features.conf dev-mode: there is no mode for development; take it out',
      'understood _features.conf trusted-ca: works as it is',
      'missing _features.conf other-thing: is not known here',
      'understood _features.conf rejectionreason: works as it is',
      'missing _features.conf openapi: is always on',
      'ignored _features.conf entra: is not here',
      'ignored license.conf token: no licence is needed',
      'ignored mine.conf : is no file that is known here',
      'understood rate-limit.conf persistence: works as it is',
      'missing rate-limit.conf issuer2_token_endpoint.requestsPerMinute: must be integer',
      'understood web.conf webHost: write it as CREDENZA_HOST',
      'understood web.conf webPort: write it as CREDENZA_PORT; all services share one',
      'missing web.conf surprise: is not known here',
    ]);
  });

  it('variables are those of the environment; one that is not set has a line, and no consequences', async () => {
    const files = { persistence: `type = \${KIND}\nnodes = [{ host = redis, port = \${PORT_OF} }]\nuser = \${?WHO}` };
    expect((await read(files)).lines).to.deep.equal([
      `missing persistence.conf \${KIND}: the variable is not set here`,
      `missing persistence.conf \${PORT_OF}: the variable is not set here`,
      ...['type', 'nodes'].map((name) => `understood persistence.conf ${name}: works as it is`),
    ]);
    const wrong = await read(files, { KIND: 'redis', PORT_OF: 'x' });
    expect(wrong.lines).to.include('missing persistence.conf nodes[0].port: must be integer');
  });

  it('what cannot be read has a line, and the report is not whole', async () => {
    await mkdir(join(folder, 'db.conf'));
    const { lines, isWhole } = await read({ web: 'webHost = "x', auth: `pepper = "${'x'.repeat(1024 * 1024)}"` });
    expect(isWhole).to.equal(false);
    expect(lines).to.deep.equal([
      'missing auth.conf : is larger than 1 MiB',
      'missing db.conf : is not a file',
      'missing web.conf : line 1: a string is not closed',
    ]);
    await rm(folder, { recursive: true });
    const refused = await readReferenceFolder(folder, {}).catch(String);
    expect(refused).to.equal(`Error: The folder ${folder} cannot be read (ENOENT)`);
    await mkdir(folder);
    expect(await read({})).to.deep.include({ isWhole: false });
  });

  it('many files and members end in a line that says so', async () => {
    const members = Array.from({ length: 201 }, (_, n) => `"m${n}" = 1`);
    const others = Array.from({ length: 100 }, (_, n) => [`z${n}`, 'a = 1']);
    const { lines } = await read({ web: members.join('\n'), ...Object.fromEntries(others) });
    expect(lines).to.include('ignored web.conf : only the first 200 members are read');
    expect(lines.at(-1)).to.equal('ignored  : only the first 100 files are read');
    expect(lines.length).to.be.lessThan(305);
  });

  it('says how many there are of each', async () => {
    await write({ web: 'webHost = "x"', license: 'a = 1' });
    const { text, exitCode } = renderReference(await readReferenceFolder(folder, {}), plain);
    expect(exitCode).to.equal(0);
    expect(text).to.match(/\n {2}understood {2}web\.conf webHost: write it as CREDENZA_HOST\n/);
    expect(text).to.match(/\n {2}1 understood, 1 ignored, 0 missing\n$/);
  });

  it('never prints a value, nor the names of tokens', async () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9]{6}$/).map((text) => `SECRET${text}9`);
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 3 }, secret, fc.array(tie('any'), { maxLength: 2 }), tie('object')),
      object: fc.dictionary(fc.oneof(secret, fc.constantFrom('type', 'tokens', 'password', 'account')), tie('any'), {
        maxKeys: 3,
      }),
    })).any;
    const names = Object.entries(REFERENCE_FILES).flatMap(([file, { members }]) => [
      [file, 'tokens'],
      ...Object.keys(members).map((member) => [file, member]),
    ]) as [string, string][];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), value, secret, async ([file, member], content, own) => {
        await rm(folder, { recursive: true });
        await mkdir(folder);
        await write({ [file]: JSON.stringify({ [member]: content, [own]: content, persistence: content }) });
        const { text } = renderReference(await readReferenceFolder(folder, {}), plain);
        expect(text).to.not.include('SECRET');
      }),
      { numRuns: runs(60) },
    );
  });
});
