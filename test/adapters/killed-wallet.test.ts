import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { WalletUser } from '../../demo/actors/wallet-user.ts';
import { HttpServices, perform } from '../../demo/services.ts';
import { LEASE_MS } from '../../domain/foundation/lease.ts';
import { startIssuer } from '../actors/issuer.ts';
import { type CommandProcess, runCommandProcess } from '../support/processes/process.ts';
import { pause } from '../support/runs/waiting.ts';

const BOTH = ['Degree_jwt_vc_json', 'Passport_jwt_vc_json'];
const PERSON = { type: 'email', name: 'Ada', email: 'ada@example.org', password: 'a long secret-password' };

/** When the process is killed: what the issuer is asked for, and whether it has given it. */
const KILLS = ['Degree', 'Passport'].flatMap((type) => [false, true].map((isGiven) => ({ type, isGiven })));

describe('A wallet whose process is killed while it receives', () => {
  let folder: string;
  let running: CommandProcess | undefined;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-killed-wallet-'));
    await writeFile(join(folder, 'services.conf'), 'services = [wallet], stopDelaySeconds = 0\n');
    await writeFile(join(folder, 'outbound.conf'), 'allow = ["127.0.0.1"]\n');
  });
  after(async () => {
    running?.child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  async function serve(): Promise<HttpServices> {
    running = runCommandProcess(['serve'], { DATA_DIR: folder, CONFIG_DIR: folder, PORT: '0', LOG_LEVEL: 'warn' });
    const [, url = ''] = await running.says(/Listening on\s+(http:\/\/\S+)/);
    return HttpServices.at(url);
  }
  async function user(services: HttpServices): Promise<WalletUser> {
    const { token } = Object(await perform(services, 'loginAccount', { json: PERSON }));
    return WalletUser.open(services, token);
  }

  it('has every credential that the issuer gave, once it accepts the same offers again', async () => {
    const issuer = await startIssuer();
    issuer.behaviour.nonces = 'endpoint';
    const deliver = issuer.peer.routes['/issuer/credential'];
    await perform(await serve(), 'registerAccount', { json: PERSON, expect: 201 });
    await running?.stop();
    const open = new Set<string>();
    const links = KILLS.map((_, n) => `${issuer.link(BOTH)}&state=${n}`);
    for (const [n, { type, isGiven }] of KILLS.entries()) {
      const holder = await user(await serve());
      issuer.peer.routes['/issuer/credential'] = async (request) => {
        const isKill = request.body.includes(type);
        const kill = (): unknown => isKill && running?.child.kill('SIGKILL');
        if (!isGiven) kill();
        const answer = await deliver?.(request);
        // The answer is on its way, or has arrived and is being stored.
        if (isGiven) setTimeout(kill, n);
        return answer;
      };
      const accepted = holder.call('acceptCredentialOffer', { text: links[n] }).then(
        ({ status }) => status,
        () => 'cut off',
      );
      await running?.ended;
      // One that was quicker than its end is complete.
      if ((await accepted) !== 200) open.add(links[n] ?? '');
    }
    issuer.peer.routes['/issuer/credential'] = (request) => deliver?.(request);
    const holder = await user(await serve());
    // What the killed process held is free once its lease has ended.
    // What a killed process held is free once its lease has ended; until then a wallet redeems an offer anew.
    await pause(LEASE_MS);
    for (const text of open) expect((await holder.call('acceptCredentialOffer', { text })).status).to.equal(200);
    const held = Object(await perform(holder, 'listWalletCredentials')) as { parsedDocument: { type: string[] } }[];
    const count = (type: string) => held.filter(({ parsedDocument }) => parsedDocument.type[1] === type).length;
    expect(open.size).to.be.at.least(3);
    expect([count('Degree'), count('Passport')]).to.deep.equal([KILLS.length, KILLS.length]);
    expect(issuer.peer.count('/issuer/token')).to.equal(KILLS.length);
    await running?.stop();
    await issuer.close();
  });
});
