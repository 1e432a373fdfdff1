import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';
import { copiesOf, restsOf, stagesOf, variablesOf } from '../support/deploy/dockerfile.ts';
import { freePort } from '../support/stores/redis.ts';

/** The user of the container. */
const USER = 65_532;
const STAGE = stagesOf('deploy/Dockerfile').at(-1) ?? [];

/** Whether every user of the machine can read a folder. */
const isForAll = (folder: string): boolean =>
  (statSync(folder).mode & 0o5) === 0o5 && (dirname(folder) === folder || isForAll(dirname(folder)));

/** The last stage of deploy/Dockerfile, replayed: what it copies, with its variables, as a user who owns nothing but data. */
describe('the container', () => {
  let folder: string;
  let child: ChildProcess | undefined;
  let output = '';
  const inside = (path: string) => path.replace(/^\/(app|data|config)\b/, (place) => join(folder, place));
  /** A command of the stage, which is a list in JSON. */
  const commandOf = (name: string): string[] => {
    const [text = ''] = restsOf(STAGE, name);
    const words = JSON.parse(text.slice(text.indexOf('['))) as string[];
    return words.map((word) => (word === '/nodejs/bin/node' ? process.execPath : inside(word)));
  };
  const isOpen = [resolve('.'), dirname(process.execPath)].every(isForAll);
  const identity = process.getuid?.() === 0 && isOpen ? { uid: USER, gid: USER } : {};

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'container-'));
    await chmod(folder, 0o755);
    for (const { from, to } of copiesOf(STAGE))
      for (const file of from.map((path) => path.replace('/src/', ''))) {
        const target = inside(to === './' ? `/app/${file}` : to.replace(/^\./, '/app'));
        await mkdir(dirname(target), { recursive: true });
        if (file === 'data') await mkdir(target);
        else if (file === 'node_modules') await symlink(resolve(file), target);
        else await cp(file, target, { recursive: true, filter: (path) => !path.endsWith('.map') });
      }
    await cp('deploy/config/one-node', inside('/config'), { recursive: true });
    if (identity.uid !== undefined) await chown(inside('/data'), USER, USER);
  });
  after(async () => {
    child?.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it('serves what it was built of, says that it is healthy, and ends on SIGTERM', async () => {
    const variables = Object.entries(variablesOf(STAGE)).map(([name, value]) => [name, inside(value)]);
    const PORT = String(await freePort());
    const secrets = { MANAGEMENT_TOKEN: 'm'.repeat(32), PUBLIC_URL: 'https://issuer.example.org' };
    const env = { ...Object.fromEntries(variables), ...secrets, PORT };
    const check = () => {
      const [program = '', ...args] = commandOf('HEALTHCHECK');
      const { status, error } = spawnSync(program, args, { env, ...identity });
      if (error !== undefined) throw error;
      return status;
    };
    expect(check(), 'before it serves').to.equal(1);
    const [program = '', ...args] = [...commandOf('ENTRYPOINT'), ...commandOf('CMD')];
    child = spawn(program, args, { cwd: inside('/app'), env, stdio: ['ignore', 'pipe', 'pipe'], ...identity });
    const ended = once(child, 'exit');
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    while (!output.includes('Listening on')) {
      if (child.exitCode !== null) throw new Error(output);
      await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), ended]);
    }
    expect(check(), output).to.equal(0);
    child.kill('SIGTERM');
    expect((await ended)[0], output).to.equal(0);
  });
});
