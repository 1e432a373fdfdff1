import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { didStoreFolder, openDidStore } from './did-store.ts';
import { compared, interleave, type Line, type Slice } from './harness.ts';
import { load } from './http/load.ts';
import { FEW, PAGE } from './pages.ts';

const WARM_UP = 8;
const SLICE_MS = 300;

/** Seconds on the clock instead of processor time: here it is the other cores that are to be seen. */
const wallSeconds = async (): Promise<number> => performance.now() / 1000;

/** The server as it is run, with the load for it. */
async function serve(workers: number): Promise<{ slice: Slice; child: ChildProcess }> {
  const folder = await didStoreFolder({ count: FEW, workers });
  const env = { ...process.env, CONFIG_DIR: folder, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, ['dist/composition/main.js', 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  const port = await portOf(child);
  const request = await openDidStore(port);
  const target = { port, milliseconds: 0, cpuSeconds: wallSeconds, close: () => child.kill() };
  return { slice: load(target, () => request, SLICE_MS), child };
}

async function portOf(child: ChildProcess): Promise<number> {
  let said = '';
  for await (const chunk of child.stdout ?? []) {
    said += chunk;
    const port = /http:\/\/[^\s:]+:(\d+)/.exec(said)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`The server ended: ${said}`);
}

/** How many times the work of one process OpenSSL does in two, now: what two cores of this machine can give. */
function cores(): string {
  const signs = (processes: number): number => {
    const args = ['speed', '-mr', '-seconds', '1', '-multi', String(processes), 'ecdsap256'];
    const said = execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    // The last line of the sum tells seconds per signature in one version of OpenSSL, signatures per second in another.
    const [, each = Number.NaN] = /^\+F\d+:\d+:\d+:([\d.]+)/m.exec(said) ?? [];
    return 1 / Number(each);
  };
  try {
    return `openssl speed -multi 2: ${(signs(2) / signs(1)).toFixed(2)} of 1`;
  } catch {
    return 'openssl is not installed';
  }
}

/** The same page by one and by two processes that share a port and a file; the client needs its share of the cores too. */
export async function workers(): Promise<Line[]> {
  const [one, two] = await Promise.all([serve(1), serve(2)]);
  const rates = await interleave({ one: one.slice, two: two.slice }, { warmUp: WARM_UP });
  for (const { child } of [one, two]) child.kill();
  await Promise.all([one, two].map(({ child }) => once(child, 'exit')));
  const work = `${PAGE} of ${FEW.toLocaleString('en')}, HTTP, 2 workers`;
  return [compared({ work, named: `1 worker (${cores()})` }, rates.two, rates.one)];
}
