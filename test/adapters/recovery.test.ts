import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { HttpServices, perform } from '../../demo/services.ts';
import { PASSWORD, registration, SUPERADMIN, TOKEN } from '../actors/tenant.ts';
import { type CommandProcess, runCommandProcess } from '../support/processes/process.ts';
import { until } from '../support/runs/waiting.ts';

/** A rehearsed recovery, with servers and commands as processes. */
describe('A server that is killed under load, and its machine with it', () => {
  let folder: string;
  const running: CommandProcess[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-recovery-'));
    await writeFile(
      join(folder, 'superadmin-registration.conf'),
      JSON.stringify({ tokens: { [TOKEN]: registration() } }),
    );
  });
  after(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  function run(DATA_DIR: string, ...args: string[]): CommandProcess {
    const command = runCommandProcess(args, { DATA_DIR, CONFIG_DIR: folder, PORT: '0', LOG_LEVEL: 'warn' });
    running.push(command);
    return command;
  }
  async function serve(dataDir: string): Promise<{ services: HttpServices; command: CommandProcess }> {
    const command = run(dataDir, 'serve');
    const [, url = ''] = await command.says(/Listening on\s+(http:\/\/\S+)/);
    return { services: await HttpServices.at(url), command };
  }
  async function done(command: CommandProcess): Promise<string> {
    expect(await command.ended, command.output.err).to.equal(0);
    return command.output.out;
  }
  const loginAt = async (services: HttpServices): Promise<string> =>
    Object(await perform(services, 'loginEnterpriseAccount', { json: { email: SUPERADMIN, password: PASSWORD } }))
      .token;
  const create = (services: HttpServices, token: string, target: string) =>
    services.call('createTenant', { path: { target }, json: {}, token });

  it('is back from its backup on another one: nothing that was acknowledged before is lost, and the audit log says where the gap is', async () => {
    const [data, other, file] = ['data', 'other', 'a.backup'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const { services, command } = await serve(data);
    await services.call('createSuperadmin', { text: TOKEN });
    const root = await loginAt(services);
    await perform(services, 'createOrganization', { json: { _id: 'acme' }, token: root, expect: 201 });
    const acknowledged: string[] = [];
    const load = (async () => {
      for (let n = 1; ; n += 1)
        if ((await create(services, root, `acme.x${n}`)).status === 201) acknowledged.push(`acme.x${n}`);
    })().catch(() => 'the server is gone');
    await until(() => acknowledged.length >= 20);
    const before = [...acknowledged];
    await done(run(data, 'backup', file));
    const during = acknowledged.length;
    await until(() => acknowledged.length > during);
    command.child.kill('SIGKILL');
    expect(await load).to.equal('the server is gone');

    await mkdir(other);
    await cp(join(data, 'master.key'), join(other, 'master.key'));
    await rm(data, { recursive: true });
    await done(run(other, 'restore', file));
    const again = await serve(other);
    expect((await create(again.services, root, 'acme.late')).status, 'a login of before').to.equal(401);
    const token = await loginAt(again.services);
    for (const target of before)
      expect((await again.services.call('getResource', { path: { target }, token })).status, target).to.equal(200);
    const acme = { path: { target: 'acme' }, token };
    const [gap] = Object(await perform(again.services, 'listAuditEvents', acme)).events;
    expect(gap).to.include({ action: 'restored', target: 'acme' });
    expect(await perform(again.services, 'checkAuditTrail', acme)).to.include({ valid: true });
    await again.command.stop();
  });
});
