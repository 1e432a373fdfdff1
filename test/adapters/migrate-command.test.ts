import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CommandProcess, runCommandProcess } from '../support/processes/process.ts';
import { until } from '../support/runs/waiting.ts';
import { freePort, RedisNode, startNode } from '../support/stores/redis.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

/** The procedure of docs/stores.md, with servers and commands as processes. */
describe('credenza migrate', () => {
  let folder: string;
  let node: RedisNode;
  const running: CommandProcess[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-move-'));
    node = await startNode();
  });
  after(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await node.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A data directory of a server that stores its data in `redis`, or in the file without it. */
  async function makePlace(redis?: { host: string; port: number }): Promise<string> {
    const place = await mkdtemp(join(folder, 'data-'));
    const conf = redis && `type = kvstore\nnodes = [ { host = "${redis.host}", port = ${redis.port} } ]\n`;
    if (conf) await writeFile(join(place, 'store.conf'), conf);
    await writeFile(join(place, 'services.conf'), 'stopDelaySeconds = 0\n');
    return place;
  }
  function run(args: string[], place: string): CommandProcess {
    const command = runCommandProcess(args, { DATA_DIR: place, CONFIG_DIR: place, PORT: '0' });
    running.push(command);
    return command;
  }
  async function serve(place: string): Promise<{ url: string; command: CommandProcess }> {
    const command = run(['serve'], place);
    const [, url = ''] = await command.says(/Listening on\s+(http:\/\/\S+)/);
    return { url, command };
  }
  const to = (target: { host: string; port: number }) => `redis://${target.host}:${target.port}`;
  async function migrate(source: string, target: { host: string; port: number }): Promise<[number | null, string]> {
    const command = run(['migrate', '--from', `sqlite:${source}`, '--to', to(target)], source);
    return [await command.ended, `${command.output.out}${command.output.err}`];
  }

  const post = (url: string, path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  async function makeCode(url: string): Promise<string> {
    const issuer = (await (await post(url, '/onboard/issuer', {})).json()) as object;
    const type = ['VerifiableCredential', 'UniversityDegree'];
    const credentialData = { '@context': ['https://www.w3.org/2018/credentials/v1'], type, credentialSubject: {} };
    const credentialConfigurationId = 'UniversityDegree_jwt_vc_json';
    const made = await post(url, '/openid4vc/jwt/issue', { ...issuer, credentialConfigurationId, credentialData });
    const link = new URL(await made.text()).searchParams.get('credential_offer_uri') as string;
    const offer = (await (await fetch(link)).json()) as { grants: Record<string, Record<string, string>> };
    return offer.grants[GRANT]?.['pre-authorized_code'] as string;
  }
  const redeem = async (url: string, code: string): Promise<number> => {
    const body = new URLSearchParams({ grant_type: GRANT, 'pre-authorized_code': code });
    return (await fetch(`${url}/draft13/token`, { method: 'POST', body })).status;
  };
  const ready = async (url: string): Promise<number> => (await fetch(`${url}/readyz`)).status;

  it('one run beside an idle server and one after its stop: no record is lost, no single-use value is valid twice', async () => {
    const [source, target] = [await makePlace(), await makePlace(node)];
    const old = await serve(source);
    const [first, used] = [await makeCode(old.url), await makeCode(old.url)];
    const [code, text] = await migrate(source, node);
    expect(code, text).to.equal(0);
    expect(await redeem(old.url, used)).to.equal(200);
    const added = await makeCode(old.url);
    await old.command.stop();
    const [again, report] = await migrate(source, node);
    expect(again, report).to.equal(0);
    expect(report).to.include('Both stores have the same content.');

    // A server that cannot decrypt the data has not begun to use the copy.
    const keyless = run(['serve'], target);
    expect(await keyless.ended).to.equal(1);
    expect(keyless.output.err).to.include('master key');
    expect((await migrate(source, node))[0]).to.equal(0);

    await copyFile(join(source, 'master.key'), join(target, 'master.key'));
    const { url, command } = await serve(target);
    expect(await redeem(url, used)).to.equal(400);
    expect(await redeem(url, first)).to.equal(200);
    expect(await redeem(url, added)).to.equal(200);
    const [refused, reason] = await migrate(source, node);
    expect(refused).to.equal(1);
    expect(reason).to.include('credenza: The target has data of its own');
    expect((await command.stop()).code).to.equal(0);
  });

  it('no server starts on an unfinished copy, and a running one is not ready on it', async () => {
    const port = await freePort();
    const later = new RedisNode(port);
    const [source, target] = [await makePlace(), await makePlace({ host: '127.0.0.1', port })];
    const old = await serve(source);
    const offered = await makeCode(old.url);
    await old.command.stop();
    await copyFile(join(source, 'master.key'), join(target, 'master.key'));

    // A server that starts before its store is reachable finds the copy later.
    const early = await serve(target);
    await later.start();
    const mark = JSON.stringify({ state: 'open', source: `sqlite:${source}` });
    await later.command('SET', 'credenza:s:migration::source', `1 0 0 - ${mark}`);
    await until(async () => {
      expect(await ready(early.url)).to.equal(503);
      return early.command.output.err.includes('half-finished copy');
    });
    expect((await post(early.url, '/openid4vc/verify', { request_credentials: ['A'] })).status).to.equal(503);
    expect(await later.command('DBSIZE')).to.equal(1);

    const refused = run(['serve'], target);
    expect(await refused.ended).to.equal(1);
    expect(refused.output.err).to.match(
      new RegExp(
        `credenza: Redis at \\S+: The store is a half-finished copy of sqlite:${source}\\. Run credenza migrate from there`,
      ),
    );
    expect(refused.output.out).to.equal('');
    const [code, text] = await migrate(source, later);
    expect(code, text).to.equal(0);
    await until(async () => (await ready(early.url)) === 200);
    expect(await redeem(early.url, offered)).to.equal(200);
    await later.command('SET', 'credenza:s:migration::source', `1 0 0 - ${mark}`);
    expect(await ready(early.url)).to.equal(503);
    expect(early.command.output.err).to.include('half-finished copy');
    expect((await early.command.stop()).code).to.equal(0);
    await later.stop();
  });
});
