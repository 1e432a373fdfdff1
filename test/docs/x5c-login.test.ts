import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { claimsOf } from '../../demo/actors/jws.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import { type TestCertificate, testLeaf } from '../support/trust/certificates.ts';

const run = promisify(execFile);
const SCRIPT = resolve('scripts/x5c-token.mjs');

describe('docs/x5c-login.md and scripts/x5c-token.mjs', () => {
  let folder: string;
  let leaf: TestCertificate;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-x5c-'));
    leaf = testLeaf(0);
    await writeFile(join(folder, 'client.key'), leaf.keys.privateKey.export({ format: 'pem', type: 'pkcs8' }));
    await writeFile(join(folder, 'client.pem'), leaf.pem);
    await writeFile(join(folder, 'other.pem'), testLeaf(1).pem);
    await writeFile(join(folder, 'empty.pem'), 'nothing');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const commands = async (): Promise<string[]> =>
    [...(await readFile('docs/x5c-login.md', 'utf8')).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code = '']) =>
      code.replaceAll('node scripts/x5c-token.mjs', `${process.execPath} ${SCRIPT}`),
    );
  const script = async (...args: string[]): Promise<string> =>
    (await run(process.execPath, [SCRIPT, '--key', 'client.key', '--cert', 'client.pem', ...args], { cwd: folder }))
      .stdout;
  const refusal = async (...args: string[]): Promise<string> =>
    script(...args).then(
      () => 'accepted',
      ({ code, stderr }) => `${code} ${stderr}`,
    );
  async function withServer<T>(
    replay: 'compatible' | 'once' | 'challenge',
    work: (server: TestServer) => Promise<T>,
  ): Promise<T> {
    const server = await startServer({ settings: { auth: { x5c: { replay } } } });
    try {
      return await work(server);
    } finally {
      await server.close();
    }
  }

  (['once', 'challenge'] as const).forEach((replay, at) => {
    it(`logs in with the commands of the page and x5c.replay = ${replay}`, async () => {
      const command = (await commands())[at] ?? '';
      await withServer(replay, async ({ url }) => {
        const env = { PATH: process.env.PATH ?? '', SERVER: url };
        const { stdout } = await run('bash', ['-euc', command], { cwd: folder, env });
        expect(JSON.parse(stdout)).to.have.all.keys('id', 'token');
      });
    });
  });

  it('makes a token with an empty payload by default', async () => {
    const token = (await script()).trim();
    expect(claimsOf(token)).to.deep.equal({});
    await withServer('compatible', async (server) => {
      const answer = await server.call('loginWithCertificate', { json: { type: 'x5c', token } });
      expect(answer.status).to.equal(200);
    });
  });

  it('adds the audience, and claims that limit the token to one use', async () => {
    const claims = claimsOf((await script('--aud', 'https://wallet.example.org', '--once')).trim());
    expect(claims).to.have.all.keys('aud', 'jti', 'exp');
    expect(claims.exp).to.be.within(Date.now() / 1000 + 200, Date.now() / 1000 + 301);
  });

  it('reports errors without the key', async () => {
    expect(await refusal('--cert', 'other.pem')).to.equal(
      '1 x5c-token: --key does not belong to the first certificate of --cert\n',
    );
    expect(await refusal('--cert', 'empty.pem')).to.equal(
      '1 x5c-token: --cert: the file holds no certificate in PEM\n',
    );
    expect(await refusal('--key', 'none.key')).to.match(/^1 x5c-token: ENOENT: .*none\.key/);
    expect(await refusal('--cert', '')).to.match(/^1 x5c-token: --key and --cert are needed/);
    expect(await refusal('--unknown')).to.match(/^1 x5c-token: Unknown option/);
  });
});
