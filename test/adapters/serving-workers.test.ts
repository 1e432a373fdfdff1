import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CommandProcess, runCommandProcess } from '../support/processes/process.ts';
import { pause, until } from '../support/runs/waiting.ts';
import { freePort } from '../support/stores/redis.ts';
import { useFolder } from '../support/stores/used-folder.ts';

interface Place {
  folder: string;
  port: number;
  url: string;
}

describe('workers', () => {
  const folders: string[] = [];
  const running: CommandProcess[] = [];
  after(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  async function makePlace(workers = 2): Promise<Place> {
    const folder = await mkdtemp(join(tmpdir(), 'credenza-workers-'));
    folders.push(folder);
    await writeFile(join(folder, 'services.conf'), `workers = ${workers}\nstopDelaySeconds = 0\n`);
    const port = await freePort();
    return { folder, port, url: `http://127.0.0.1:${port}` };
  }
  function run({ folder, port }: Place, environment: Record<string, string> = {}, node?: string): CommandProcess {
    const place = { DATA_DIR: folder, CONFIG_DIR: folder, PORT: String(port) };
    const command = runCommandProcess(['serve'], { ...place, ...environment }, { node });
    running.push(command);
    return command;
  }
  /** How many workers have said that they listen. */
  const listening = ({ output }: CommandProcess): number => output.err.split('"msg":"listening"').length - 1;
  /** A worker that is killed at once has not said it. */
  async function isReady(command: CommandProcess): Promise<void> {
    await command.says(/Listening on/);
    await until(() => listening(command) === 2);
  }
  const workersOf = async ({ child }: CommandProcess): Promise<number[]> =>
    (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number);
  const ends = ({ output }: CommandProcess) =>
    output.err
      .split('\n')
      .filter((line) => line.includes('a worker ended and is replaced'))
      .map((line) => JSON.parse(line));
  const answers = async ({ url }: Place): Promise<number> =>
    (await fetch(`${url}/livez`, { headers: { connection: 'close' } })).status;

  for (const workers of [1, 2]) {
    it(`${workers}: a start on a used port exits with 1 and the reason`, async () => {
      const place = await makePlace(workers);
      const taken = createServer().listen(place.port, '127.0.0.1');
      const command = run(place);
      expect(await command.ended).to.equal(1);
      taken.close();
      expect(command.output.out).to.equal('');
      expect(command.output.err.match(/^credenza: .*EADDRINUSE.*$/gm)).to.have.length(1);
    });
  }

  it('2: a start on data that another master key sealed exits with 1 and the reason', async () => {
    const place = await makePlace();
    await useFolder(place.folder);
    const command = run(place, { MASTER_KEY: 'ab'.repeat(32) });
    expect(await command.ended).to.equal(1);
    expect(command.output.out).to.equal('');
    expect(command.output.err.match(/^credenza: .*master key.*$/gm)).to.have.length(1);
  });

  it('each worker that dies is replaced, soon after its start and again, which is logged', async () => {
    const place = await makePlace();
    const node = join(place.folder, 'node');
    await copyFile(process.execPath, node);
    const command = run(place, {}, node);
    await isReady(command);
    const [victim] = await workersOf(command);
    process.kill(victim as number, 'SIGKILL');
    await until(() => ends(command).length === 1);
    expect(ends(command)[0]).to.include({ level: 50, pid: victim, signal: 'SIGKILL', pauseMs: 100, left: 1 });
    await until(() => listening(command) > 2);

    // The second time its program cannot be started for a while.
    await rename(node, `${node}-away`);
    process.kill((await workersOf(command))[0] as number, 'SIGKILL');
    await until(() => ends(command).length >= 3);
    await rename(`${node}-away`, node);
    expect(ends(command)[2]).to.include({ reason: `spawn ${node} ENOENT`, left: 1 });
    await until(() => listening(command) > 3);
    expect(await answers(place)).to.equal(200);
    const counts = await (await fetch(`${place.url}/metrics`)).text();
    expect(counts).to.match(new RegExp(`^credenza_worker_restarts_total ${ends(command).length}$`, 'm'));
    expect((await command.stop()).code).to.equal(0);
  });

  it('a worker that cannot restart is started with growing delays, while the others serve all requests', async () => {
    const place = await makePlace();
    const command = run(place);
    await isReady(command);
    const [file, pids] = [join(place.folder, 'master.key'), await workersOf(command)];
    const key = await readFile(file, 'utf8');
    await writeFile(file, `${'ab'.repeat(32)}\n`);
    process.kill(pids[0] as number, 'SIGKILL');
    // Connections that it receives until the others know are lost.
    await until(() => ends(command).length === 1);
    await until(async () => {
      expect(await answers(place)).to.equal(200);
      await pause(100);
      return ends(command).length >= 3;
    }, 40_000);
    const [, ...failed] = ends(command);
    const delays = ends(command).map(({ pauseMs }) => pauseMs);
    for (const { code, reason } of failed) {
      expect(code).to.equal(1);
      expect(reason).to.include('master key');
    }
    expect(delays.slice(0, 3)).to.deep.equal([100, 200, 400]);
    await writeFile(file, key);
    await until(() => listening(command) > 2);
    expect(await workersOf(command)).to.have.length(2);
    expect((await command.stop()).code).to.equal(0);
  });

  it('a worker with an unhandled exception answers its current requests and is replaced', async () => {
    const place = await makePlace();
    const plant = join(place.folder, 'plant.mjs');
    await writeFile(plant, "process.on('SIGUSR2', () => { throw new Error('planted'); });\n");
    const command = run(place, { NODE_OPTIONS: `--import ${plant}` });
    await isReady(command);
    process.kill((await workersOf(command))[0] as number, 'SIGUSR2');
    await until(() => ends(command).length === 1);
    expect(ends(command)[0]).to.include({ code: 1, signal: null });
    expect(command.output.err).to.match(/"kind":"exception","error":"planted"/);
    expect(await answers(place)).to.equal(200);
    expect((await command.stop()).code).to.equal(0);
  });

  it('after a stop signal during the start they exit with 0 and leave no process', async () => {
    const command = run(await makePlace());
    await until(async () => (await workersOf(command).catch(() => [])).length === 2);
    const pids = await workersOf(command);
    expect((await command.stop()).code).to.equal(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).to.throw('ESRCH');
  });
});
