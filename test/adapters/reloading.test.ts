import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { encryptedResponse } from '../actors/encrypted-response.ts';
import { MDOC_NONCE, presentOf, requestedOf, responseOf, TRUSTED_ROOT } from '../actors/presenters.ts';
import { readRequest, responseKeyOf } from '../actors/wallet.ts';
import { type CommandProcess, runCommandProcess } from '../support/processes/process.ts';
import { inTurn } from '../support/runs/tier.ts';
import { until } from '../support/runs/waiting.ts';
import { iaca } from '../support/trust/issuer-chains.ts';

/** How many verifications are made after each change: connections are spread over the workers. */
const TIMES = 6;

const close = { connection: 'close' };

describe('a server that reads its configuration again', () => {
  const folders: string[] = [];
  const running: CommandProcess[] = [];
  after(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  const environment = (folder: string) => ({ DATA_DIR: folder, CONFIG_DIR: folder, PORT: '0' });
  const trust = (folder: string, text: string) => writeFile(join(folder, 'trusted-issuers.conf'), text);
  const anchors = (...pems: string[]) => `certificates = ${JSON.stringify(pems)}\n`;

  async function serve(workers: number) {
    const folder = await mkdtemp(join(tmpdir(), 'credenza-reload-'));
    folders.push(folder);
    await writeFile(join(folder, 'services.conf'), `workers = ${workers}\nstopDelaySeconds = 0\n`);
    await trust(folder, anchors(iaca(7).pem));
    const command = runCommandProcess(['serve'], environment(folder));
    running.push(command);
    const [, url = ''] = await command.says(/Listening on\s+(http:\/\/\S+)/);
    const reload = async () => {
      const asking = runCommandProcess(['reload', '--pid', String(command.child.pid)], environment(folder));
      return { code: await asking.ended, ...asking.output };
    };
    const logged = (text: string): number => command.output.err.split(text).length - 1;
    return { folder, url, command, reload, logged };
  }

  /** Whether an mdoc below the root of our tests is believed, each time. */
  async function believed(url: string): Promise<boolean[]> {
    const each: boolean[] = [];
    for (let time = 0; time < TIMES; time += 1) each.push(await verified(url));
    return [...new Set(each)];
  }

  async function verified(url: string): Promise<boolean> {
    const body = JSON.stringify({ request_credentials: [requestedOf('mso_mdoc')], vc_policies: ['signature'] });
    const headers = { ...close, 'content-type': 'application/json' };
    const started = await fetch(`${url}/openid4vc/verify`, { method: 'POST', headers, body });
    const request = readRequest(await started.text());
    const made = await presentOf('mso_mdoc', request);
    const response = await encryptedResponse(responseOf([made], request), responseKeyOf(request), { apu: MDOC_NONCE });
    const form = new URLSearchParams({ response });
    await fetch(`${url}/openid4vc/verify/${request.state}`, { method: 'POST', headers: close, body: form });
    const session = await fetch(`${url}/openid4vc/session/${request.state}`, { headers: close });
    return ((await session.json()) as { verificationResult: boolean }).verificationResult;
  }

  for (const workers of inTurn([1, 2], 0))
    it(`${workers}: believes what the file says after the command, in every process; a wrong file changes nothing and is named`, async () => {
      const { folder, url, command, reload, logged } = await serve(workers);
      expect(await believed(url)).to.deep.equal([false]);
      await trust(folder, anchors(iaca(7).pem, TRUSTED_ROOT));
      const { code, out } = await reload();
      expect([code, out]).to.deep.equal([
        0,
        `Process ${command.child.pid} was asked to read its configuration again; its log says when it did, and what changed\n`,
      ]);
      await until(() => logged('the configuration was read again') === workers);
      expect(command.output.err).to.include('"changed":["trustedIssuers.certificates"],"msg"');
      expect(await believed(url)).to.deep.equal([true]);
      await trust(folder, 'certificates = [ "no certificate" ]\n');
      const wrong = await reload();
      expect(wrong.code).to.equal(1);
      expect(wrong.err).to.include('trusted-issuers.conf');
      command.child.kill('SIGUSR2');
      await until(() => logged('the configuration was not read again') === workers);
      expect(await believed(url)).to.deep.equal([true]);
      await trust(folder, anchors(iaca(7).pem));
      expect((await reload()).code).to.equal(0);
      await until(() => logged('the configuration was read again') === 2 * workers);
      expect(await believed(url)).to.deep.equal([false]);
      expect((await command.stop()).code).to.equal(0);
      const gone = await reload();
      expect(gone.code).to.equal(1);
      expect(gone.err).to.match(/cannot be asked: .*ESRCH/);
    });

  it('offers by the profiles of the file after the command, all of them or none; what waits for a restart is named', async () => {
    const { folder, url, command, reload, logged } = await serve(1);
    const profiles = (...names: string[]) => {
      const type = '[VerifiableCredential, OpenBadgeCredential]';
      const of = `credentialConfigurationId = OpenBadgeCredential_jwt_vc_json, credentialData { type = ${type} }`;
      const each = names.map((name) => `${name} { name = ${name}, ${of} }`);
      return writeFile(join(folder, 'issuer2-profiles.conf'), `profiles { ${each.join('\n')} }\n`);
    };
    const offer = async (profileId: string) => {
      const body = JSON.stringify({ profileId, authMethod: 'PRE_AUTHORIZED' });
      const headers = { ...close, 'content-type': 'application/json' };
      return (await fetch(`${url}/issuer2/credential-offers`, { method: 'POST', headers, body })).status;
    };
    expect(await offer('badge')).to.equal(404);
    await profiles('badge');
    await writeFile(join(folder, 'pagination.conf'), 'defaultLimit = 7\n');
    expect((await reload()).code).to.equal(0);
    await until(() => logged('the configuration was read again') === 1);
    expect(command.output.err).to.include(
      '"changed":["issuer2Profiles.profiles"],"waiting":["pagination.defaultLimit"]',
    );
    expect(await offer('badge')).to.equal(201);
    await writeFile(
      join(folder, 'issuer2-profiles.conf'),
      'profiles { other { name = a, credentialConfigurationId = none, credentialData {} } }\n',
    );
    await trust(folder, anchors(TRUSTED_ROOT));
    expect((await reload()).code).to.equal(1);
    command.child.kill('SIGUSR2');
    await until(() => logged('the configuration was not read again') === 1);
    expect(command.output.err).to.include('issuer2-profiles.conf: profiles.other.credentialConfigurationId');
    expect(await verified(url)).to.equal(false);
    expect(await offer('badge')).to.equal(201);
    await command.stop();
  });
});
