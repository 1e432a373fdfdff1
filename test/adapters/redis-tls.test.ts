import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CommandProcess, runCommandProcess } from '../support/processes/process.ts';
import { freePort, type RedisNode, startNode } from '../support/stores/redis.ts';
import { makeCertificate, testCa, testKeys } from '../support/trust/certificates.ts';

describe('Redis over TLS', () => {
  let folder: string;
  let node: RedisNode;
  let port: number;
  const running: CommandProcess[] = [];

  const file = (name: string): string => join(folder, name);
  const keys = async (): Promise<unknown> => node.command('DBSIZE');

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-tls-'));
    const ca = testCa();
    const own = testKeys('P-256', 9);
    const certificate = makeCertificate({
      subject: 'CN=redis',
      issuer: ca,
      keys: own,
      altNames: [{ iPAddress: '127.0.0.1' }],
    });
    await writeFile(file('ca.pem'), ca.pem);
    await writeFile(file('redis.pem'), certificate.pem);
    await writeFile(file('redis.key'), own.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    port = await freePort();
    const certificates = ['--tls-cert-file', file('redis.pem'), '--tls-key-file', file('redis.key')];
    node = await startNode('--tls-port', String(port), ...certificates, '--tls-auth-clients', 'no');
    const nodes = `nodes = [ { host = "127.0.0.1", port = ${port} } ]\ntls = true\n`;
    await mkdir(file('config'));
    await writeFile(file('config/services.conf'), 'stopDelaySeconds = 0\n');
    await writeFile(file('config/store.conf'), `type = kvstore\n${nodes}`);
    await writeFile(file('config/rate-limit.conf'), `persistence {\ntype = kvstore\n${nodes}}\n`);
  });
  after(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await node.stop();
    await rm(folder, { recursive: true, force: true });
  });

  function run(args: string[], more: Record<string, string> = {}): CommandProcess {
    const place = { DATA_DIR: file('data'), CONFIG_DIR: file('config'), PORT: '0' };
    const command = runCommandProcess(args, { ...place, ...more });
    running.push(command);
    return command;
  }
  const addressOf = async (command: CommandProcess): Promise<string> =>
    (await command.says(/Listening on\s+(http:\/\/\S+)/))[1] ?? '';

  it('a node with an unknown certificate authority is not used: 503, and no data is sent to it', async () => {
    const command = run(['serve']);
    const url = await addressOf(command);
    expect((await fetch(`${url}/readyz`)).status).to.equal(503);
    expect(await keys()).to.equal(0);
    await command.stop();
    expect(command.output.err).to.include('"reason":"unable to verify the first certificate');
  });

  it('a node with a configured certificate authority stores the data and the limits', async () => {
    const command = run(['serve'], { NODE_EXTRA_CA_CERTS: file('ca.pem') });
    const url = await addressOf(command);
    expect((await fetch(`${url}/readyz`)).status).to.equal(200);
    const person = { type: 'email', name: 'Ada', email: 'ada@example.org', password: 'a long secret-password' };
    const register = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(person) };
    expect((await fetch(`${url}/wallet-api/auth/register`, register)).status).to.equal(201);
    expect(await keys()).to.be.above(2);
    expect((await command.stop()).code).to.equal(0);
  });

  it('can be the target of a migration', async () => {
    const to = `rediss://127.0.0.1:${port}?prefix=moved:`;
    const data = file('embedded');
    const embedded = run(['serve'], { DATA_DIR: data, CONFIG_DIR: file('none') });
    await addressOf(embedded);
    await embedded.stop();
    const moved = run(['migrate', '--from', `sqlite:${data}`, '--to', to], { NODE_EXTRA_CA_CERTS: file('ca.pem') });
    expect(await moved.ended, moved.output.err).to.equal(0);
    const found = (await node.command('KEYS', 'moved:*')) as string[];
    expect(found).not.to.deep.equal([]);
  });
});
