import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CommandProcess, runCommandProcess } from '../support/processes/process.ts';
import { until } from '../support/runs/waiting.ts';
import { startNode } from '../support/stores/redis.ts';

/** The server as an operator runs it: a process on an embedded file. */
describe('credenza serve', () => {
  let folder: string;
  const running: CommandProcess[] = [];
  const json = { 'content-type': 'application/json' };
  const person = { type: 'email', name: 'Ada', email: 'ada@example.org', password: 'a long secret-password' };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-serve-'));
    await mkdir(join(folder, 'config'));
    await writeFile(join(folder, 'config', 'services.conf'), 'stopDelaySeconds = 0\n');
  });
  after(async () => {
    for (const one of running) one.child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const environment = (more: Record<string, string> = {}) => ({
    DATA_DIR: join(folder, 'data'),
    CONFIG_DIR: join(folder, 'config'),
    PORT: '0',
    ...more,
  });
  async function serve(more: Record<string, string> = {}): Promise<{ url: string; command: CommandProcess }> {
    const command = runCommandProcess(['serve'], environment(more));
    running.push(command);
    const [, url = ''] = await command.says(/Listening on\s+(http:\/\/\S+)[\s\S]*API page\s+\S+\/docs/);
    return { url, command };
  }
  const post = (url: string, path: string, body: unknown, headers: Record<string, string> = json) =>
    fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });

  it('starts without configuration, and keeps its data over a restart', async () => {
    const first = await serve({ CONFIG_DIR: join(folder, 'none') });
    expect(first.command.output.out).to.match(/wallet.*issuer.*verifier.*status/);
    expect((await post(first.url, '/wallet-api/auth/register', person)).status).to.equal(201);
    const { token } = (await (await post(first.url, '/wallet-api/auth/login', person)).json()) as { token: string };
    const key = (await stat(join(folder, 'data', 'master.key'))).mode & 0o777;
    expect(key).to.equal(0o600);
    expect((await first.command.stop()).code).to.equal(0);

    const again = await serve({ PUBLIC_URL: first.url });
    const session = await fetch(`http://127.0.0.1:${await portOf(again.command)}/wallet-api/auth/session`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(session.status).to.equal(200);
    await again.command.stop();
  });

  it('two processes share one file: a session of one can be ended at the other', async () => {
    const port = await freePort();
    const one = await serve({ PUBLIC_URL: `http://127.0.0.1:${port}`, PORT: String(port) });
    const other = await serve({ PUBLIC_URL: `http://127.0.0.1:${port}` });
    const otherUrl = `http://127.0.0.1:${await portOf(other.command)}`;
    const { token } = (await (await post(one.url, '/wallet-api/auth/login', person)).json()) as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${otherUrl}/wallet-api/auth/session`, { headers })).status).to.equal(200);
    await fetch(`${otherUrl}/wallet-api/auth/logout`, { method: 'POST', headers });
    expect((await fetch(`${one.url}/wallet-api/auth/session`, { headers })).status).to.equal(401);
    await one.command.stop();
    await other.command.stop();
  });

  it('refuses data that another master key sealed, with the reason', async () => {
    const command = runCommandProcess(['serve'], environment({ MASTER_KEY: 'ab'.repeat(32) }));
    expect(await command.ended).to.equal(1);
    expect(command.output.err).to.include('master key');
    expect(command.output.err).to.not.include('abababab');
  });

  it('refuses an invalid configuration with file and field, exit code 1, before it listens', async () => {
    const config = join(folder, 'wrong');
    await mkdir(config, { recursive: true });
    await writeFile(join(config, 'auth.conf'), 'tokenLifetimeSeconds = soon\n');
    const command = runCommandProcess(['serve'], environment({ CONFIG_DIR: config }));
    expect(await command.ended).to.equal(1);
    expect(command.output.err).to.match(/auth\.conf.*tokenLifetimeSeconds/);
  });

  it('runs only the configured services', async () => {
    const config = join(folder, 'only-status');
    await mkdir(config, { recursive: true });
    await writeFile(join(config, 'services.conf'), 'services = [ status ]\nstopDelaySeconds = 0\n');
    const { url, command } = await serve({ CONFIG_DIR: config });
    expect((await post(url, '/onboard/issuer', {})).status).to.equal(404);
    const check = await fetch(`${url}/v1/revocations/check`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: '{"type":["VerifiableCredential"]}',
    });
    expect(check.status).to.equal(200);
    await command.stop();
  });

  it('has no secret in plain text at rest, in the log or in answers to other callers', async () => {
    const { url, command } = await serve();
    await post(url, '/wallet-api/auth/register', { ...person, email: 'eve@example.org' });
    const onboarded = (await (await post(url, '/onboard/issuer', {})).json()) as {
      issuerKey: { jwk: { d: string } };
      issuerDid: string;
    };
    const credentialData = {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiableCredential', 'UniversityDegree'],
      credentialSubject: { secret: 'about-a-person' },
    };
    const issued = await post(url, '/openid4vc/jwt/issue', {
      ...onboarded,
      credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
      credentialData,
    });
    expect(issued.status).to.equal(200);
    const session = await post(
      url,
      '/openid4vc/verify',
      { request_credentials: ['UniversityDegree'] },
      { ...json, statusCallbackUri: 'https://hooks.example.org/x', statusCallbackApiKey: 'callback-secret-key' },
    );
    expect(session.status).to.equal(200);
    await command.stop();
    const master = (await readFile(join(folder, 'data', 'master.key'), 'utf8')).trim();
    const secrets = [onboarded.issuerKey.jwk.d, person.password, 'callback-secret-key', 'about-a-person', master];
    const files = (await readdir(join(folder, 'data'))).filter((name) => name !== 'master.key');
    const kept = (await Promise.all(files.map((name) => readFile(join(folder, 'data', name), 'latin1')))).join('');
    expect(kept.length).to.be.greaterThan(10_000);
    for (const secret of secrets)
      expect(`${kept}${command.output.out}${command.output.err}`.includes(secret), secret.slice(0, 4)).to.equal(false);
  });
});

describe('credenza serve with workers', () => {
  it('share one port, one store and one set of counts, and stop together', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'credenza-workers-'));
    await writeFile(join(folder, 'services.conf'), 'workers = 2\nstopDelaySeconds = 0\n');
    const port = await freePort();
    const command = runCommandProcess(['serve'], { DATA_DIR: folder, CONFIG_DIR: folder, PORT: String(port) });
    const [, url = ''] = await command.says(/Listening on\s+(http:\/\/\S+)/);
    for (let n = 0; n < 20; n += 1) {
      const { status } = await fetch(`${url}/livez`, { headers: { connection: 'close' } });
      expect(status).to.equal(200);
    }
    await until(() => command.output.err.match(/"msg":"listening"/g)?.length === 2);
    const counts = await (await fetch(`${url}/metrics`)).text();
    expect(counts).to.match(/credenza_request_seconds_count\{operation="getLiveness",status="200"\} 20/);
    const { code, ms } = await command.stop();
    expect(code).to.equal(0);
    expect(ms).to.be.lessThan(10_000);
    await rm(folder, { recursive: true, force: true });
  });

  it('are refused on a store that they cannot share', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'credenza-workers-'));
    await writeFile(join(folder, 'services.conf'), 'workers = 2\n');
    await writeFile(join(folder, 'store.conf'), 'type = memory\n');
    const command = runCommandProcess(['serve'], { DATA_DIR: folder, CONFIG_DIR: folder, PORT: '0' });
    expect(await command.ended).to.equal(1);
    expect(command.output.err).to.match(/services\.conf.*workers/);
    await rm(folder, { recursive: true, force: true });
  });
});

describe('credenza check', () => {
  it('lists what is enabled, exit code 0', async () => {
    const command = runCommandProcess(['check'], { CONFIG_DIR: '/nonexistent', DATA_DIR: '/nonexistent' });
    expect(await command.ended).to.equal(0);
    expect(command.output.out).to.include('The configuration is valid').and.include('is made by the first start');
  });

  it('says what a start would refuse although each file is right, and leaves nothing behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'credenza-check-'));
    const profile = 'profiles { other { name = a, credentialConfigurationId = none, credentialData {} } }';
    await writeFile(join(folder, 'issuer2-profiles.conf'), profile);
    const command = runCommandProcess(['check'], { CONFIG_DIR: folder, DATA_DIR: join(folder, 'data') });
    expect(await command.ended).to.equal(1);
    expect(command.output.out).to.match(
      /^ {2}issuer2-profiles\.conf: profiles\.other\.credentialConfigurationId is not the id/m,
    );
    expect(await readdir(folder)).to.deep.equal(['issuer2-profiles.conf']);
    await rm(folder, { recursive: true });
  });

  it('connects to the stores: a refused login is an invalid configuration (exit code 1), an outage is a warning (0)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'credenza-check-'));
    const node = await startNode();
    await node.command('CONFIG', 'SET', 'requirepass', 'open-sesame');
    const store = `type = kvstore, nodes = [ { host = 127.0.0.1, port = ${node.port} } ]`;
    await writeFile(join(folder, 'store.conf'), `${store}, password = wrong-sesame`);
    await writeFile(join(folder, 'rate-limit.conf'), `persistence { ${store}, password = open-sesame }`);
    const check = async (): Promise<[number | null, string]> => {
      const command = runCommandProcess(['check'], { CONFIG_DIR: folder, DATA_DIR: folder });
      return [await command.ended, command.output.out];
    };
    const [refused, said] = await check();
    expect(refused).to.equal(1);
    expect(said).to.match(/^ {2}store\.conf password: Redis .*the user or the password is refused/m);
    expect(said).not.to.include('sesame');
    await node.stop();
    const [away, warned] = await check();
    expect(away).to.equal(0);
    expect(warned)
      .to.match(/Store +Redis .*: cannot be used now/)
      .and.match(/Rate limits +Redis .*: cannot be used now/);
    expect(warned).to.match(/Warning +Redis .*ECONNREFUSED/);
    await rm(folder, { recursive: true });
  });
});

/** With PUBLIC_URL the banner names that URL; the port on which it listens is in its log line. */
async function portOf({ output }: CommandProcess): Promise<string | undefined> {
  const port = () => /"port":(\d+)/.exec(output.err)?.[1];
  await until(() => port() !== undefined);
  return port();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
