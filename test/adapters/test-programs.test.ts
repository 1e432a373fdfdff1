import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROGRAMS, planOf } from '../../scripts/test-programs.mjs';

const PREPARE = "import('./scripts/test-programs.mjs').then(({ prepare }) => process.exit(prepare() ? 0 : 1))";

describe('scripts/test-programs.mjs', () => {
  /** The only folder on the PATH of the processes. */
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'programs-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const script = (name: string, ...lines: string[]) => {
    const path = join(folder, name);
    writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
    chmodSync(path, 0o755);
  };
  const run = (...args: string[]) =>
    spawnSync(process.execPath, args, { env: { ...process.env, PATH: folder }, encoding: 'utf8' });

  it('npm test ends before a test runs where nothing can be installed, with the one command that installs all', () => {
    const { status, stdout, stderr } = run('scripts/test.mjs', 'contract');
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.match(/^The tests start programs that are not installed: git, redis-server, .*\. On Debian/);
    expect(stderr).to.match(/apt-get update -q && .*apt-get install -y .* git redis-server /);
  });

  it('installs what is missing, says so, and says when it is missing still', () => {
    const log = join(folder, 'log');
    for (const { program } of PROGRAMS) if (program !== 'redis-server') script(program);
    symlinkSync('/usr/bin/env', join(folder, 'env'));
    script('sudo', '[ "$1" = -n ] && shift', 'exec "$@"');
    script('apt-get', `echo "$@" >> ${log}`);
    const failed = run('-e', PREPARE);
    expect(failed.status).to.equal(1);
    expect(failed.stderr).to.match(/^The installation failed/);
    script('apt-get', `echo "$@" >> ${log}`, `/bin/ln -sf /bin/true ${folder}/redis-server`);
    rmSync(log);
    const { status, stdout } = run('-e', PREPARE);
    expect(status).to.equal(0);
    expect(stdout).to.contain('not installed: redis-server. Installing them');
    expect(readFileSync(log, 'utf8').trim().split('\n')).to.deep.equal([
      'update -q',
      'install -y -q --no-install-recommends redis-server',
    ]);
    expect(run('-e', PREPARE).stdout).to.equal('');
  });

  it('installs as root or with sudo that asks for no password, on machines with apt-get alone', () => {
    const planFor = (machine: Partial<Parameters<typeof planOf>[0]>) =>
      planOf({ has: (program) => program === 'apt-get', isRoot: false, sudoes: () => false, ...machine });
    expect(planFor({}).may).to.equal(false);
    expect(planFor({ sudoes: () => true }).may).to.equal(true);
    expect(planFor({ isRoot: true }).may).to.equal(true);
    expect(planFor({ isRoot: true, has: () => false }).may).to.equal(false);
    expect(planFor({ isRoot: true }).commands.flat()).to.not.include('sudo');
    expect(planFor({}).commands[0]).to.deep.equal(['sudo', 'apt-get', 'update', '-q']);
  });

  it('goes on with Chromium with a window where the one without cannot be installed, and ends without either', () => {
    for (const { program } of PROGRAMS) if (program !== 'chromium-headless-shell') script(program);
    const without = run('-e', PREPARE);
    expect(without.status).to.equal(1);
    expect(without.stderr).to.match(/not installed: chromium-headless-shell\. On Debian/);
    script('chromium');
    expect(run('-e', PREPARE)).to.include({ status: 0, stdout: '', stderr: '' });
    symlinkSync('/usr/bin/env', join(folder, 'env'));
    script('sudo', 'exit 0');
    script('apt-get', 'exit 1');
    expect(run('-e', PREPARE).status).to.equal(0);
    rmSync(join(folder, 'chromium'));
    expect(run('-e', PREPARE).status).to.equal(1);
  });
});
