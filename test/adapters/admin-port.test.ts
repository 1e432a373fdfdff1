import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ConfigurationError } from '../../adapters/config/errors.ts';
import { isReachable } from '../../adapters/config/management.ts';
import { readSettings } from '../../adapters/config/read-settings.ts';
import { type Running, start } from '../../composition/commands/start.ts';
import { contract, sharedContract } from '../support/documents/contract.ts';
import { freePort } from '../support/stores/redis.ts';

const TOKEN = 'an-operator-token-of-36-characters--';
const open = (await contract).operations.filter(
  ({ isManagement, authentication, path }) => !isManagement && authentication === 'none' && !path.includes('{'),
);
const managing = (await contract).operations.filter(({ isManagement }) => isManagement);

describe('the operations of management at a port of their own', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-admin-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const read = (more: Record<string, string>) =>
    readSettings({ CONFIG_DIR: folder, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', ...more });
  const problems = async (more: Record<string, string>): Promise<string[]> =>
    read(more).then(
      () => [],
      (error: ConfigurationError) => error.problems.map(({ field, message }) => `${field} ${message}`),
    );
  const services = (text: string) => writeFile(join(folder, 'services.conf'), text);

  describe('with ADMIN_TOKEN', () => {
    let data: string;
    let running: Running;
    let port: number;
    before(async () => {
      data = await mkdtemp(join(tmpdir(), 'credenza-admin-data-'));
      port = await freePort();
      const settings = await read({ CONFIG_DIR: data, DATA_DIR: data, ADMIN_PORT: String(port), ADMIN_TOKEN: TOKEN });
      running = await start(settings, { checkedContract: sharedContract });
    });
    after(async () => {
      await running?.close(0);
      await rm(data, { recursive: true, force: true });
    });
    const admin = () => `http://127.0.0.1:${port}`;
    const statusAt = async (place: string, method: string, path: string, token?: string): Promise<number> => {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const { status, body } = await fetch(`${place}${path.replaceAll(/\{\w+\}/g, 'x')}`, { method, headers });
      await body?.cancel();
      return status;
    };

    it('are served there only, to who has the token, and all others at the other port only', async () => {
      const main = running.url;
      for (const { method, path } of managing) {
        expect(await statusAt(main, method, path, TOKEN), `${method} ${path} at PORT`).to.be.oneOf([404, 405]);
        expect(await statusAt(admin(), method, path), `${method} ${path}`).to.equal(401);
      }
      expect(await statusAt(admin(), 'GET', '/metrics', `${TOKEN}x`)).to.equal(401);
      expect(await statusAt(admin(), 'GET', '/metrics', TOKEN)).to.equal(200);
      expect(await statusAt(main, 'GET', '/livez')).to.equal(200);
      // The portal leaves out the pages that call them.
      expect(await (await fetch(`${main}/portal.json`)).json()).to.include({ management: 'token' });
      for (const { method, path } of open)
        expect(await statusAt(admin(), method, path), `${method} ${path} at ADMIN_PORT`).to.be.oneOf([404, 405]);
    });

    it('a port that is taken ends the start, with the variable that chooses another', async () => {
      const failed = await start(await read({ ADMIN_PORT: String(port) })).catch((error) => error);
      expect(String(failed)).to.match(/Cannot listen on 127\.0\.0\.1:\d+ \(EADDRINUSE\).* with CREDENZA_ADMIN_PORT$/);
    });
  });

  it('on a loopback address need no token, wherever the others are; elsewhere who may manage must be said', async () => {
    const away = { HOST: '0.0.0.0', PUBLIC_URL: 'https://vc.example.org' };
    const admin = await read({ ...away, ADMIN_PORT: '7002' });
    expect(admin.admin).to.deep.equal({ host: '127.0.0.1', port: 7002 });
    expect(isReachable(admin)).to.equal(false);
    const both = { ...away, ADMIN_PORT: '7002', ADMIN_HOST: '::' };
    const [problem] = await problems(both);
    expect(problem).to.match(/^management must be said, since ADMIN_HOST is not a loopback address/);
    expect(isReachable(await read({ ...both, ADMIN_TOKEN: TOKEN }))).to.equal(true);
  });

  it('ADMIN_TOKEN stands in place of management and managementToken, also where there is one port', async () => {
    const file = join(folder, 'token');
    await writeFile(file, `${TOKEN}\n`);
    const written: Record<string, string>[] = [{ ADMIN_TOKEN: TOKEN }, { CREDENZA_ADMIN_TOKEN_FILE: file }];
    for (const more of written)
      expect((await read(more)).services).to.include({ management: 'token', managementToken: TOKEN });
    await services(`management = token, managementToken = "${'m'.repeat(32)}"`);
    expect((await problems({ ADMIN_TOKEN: TOKEN })).join()).to.match(
      /^ADMIN_TOKEN must not be set beside managementToken/,
    );
    await services('management = open');
    expect((await problems({ ADMIN_TOKEN: TOKEN })).join()).to.match(
      /^ADMIN_TOKEN must not be set with management = open/,
    );
    await services('');
    const short = await problems({ ADMIN_TOKEN: 'hunter2' });
    expect(short.join())
      .to.match(/^ADMIN_TOKEN must be 32 to 1024/)
      .and.not.include('hunter2');
  });

  it('refuses a port that is none, that of all others, and a host without a port', async () => {
    for (const wrong of ['0', 'x', '70000'])
      expect(await problems({ ADMIN_PORT: wrong })).to.deep.equal([
        'ADMIN_PORT must be a whole number from 1 to 65535',
      ]);
    const same = await problems({ PORT: '7001', ADMIN_PORT: '7001' });
    expect(same).to.deep.equal(['ADMIN_PORT must be another port than PORT']);
    expect(await problems({ ADMIN_HOST: '::1' })).to.deep.equal(['ADMIN_HOST is of use beside ADMIN_PORT only']);
  });
});
