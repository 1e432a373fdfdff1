import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './redis-server.ts';

/** Where Debian has the programs of each version. */
const VERSIONS = '/usr/lib/postgresql';
/** Ticks of the processor time in /proc. */
const TICKS_PER_SECOND = 100;
const SETTINGS = { shared_buffers: '512MB', max_wal_size: '4GB', checkpoint_timeout: '1h', log_min_messages: 'fatal' };

/** A PostgreSQL on loopback, durable as it is delivered. */
export interface BenchPostgres {
  settings: { nodes: { host: string; port: number }[]; user: string; password: string; database: string };
  /** Processor time of this process and of the server together. */
  cpuSeconds(): number;
  /** Several connections for work by hand. */
  pool: pg.Pool;
  stop(): Promise<void>;
}

const programs = (): string | undefined => {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
  return versions.toSorted((a, b) => Number(b) - Number(a)).map((version) => join(VERSIONS, version, 'bin'))[0];
};

/** Whether there is a PostgreSQL on this machine. */
export const isPostgresInstalled = (): boolean => programs() !== undefined;

/** PostgreSQL refuses to run as root. */
const owner = (): { uid: number; gid: number } | undefined => {
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
};

/** Starts a server; its data is deleted when it stops. */
export async function startPostgres(): Promise<BenchPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  const [data, as, bin] = [join(folder, 'data'), owner(), programs() ?? ''];
  if (as) {
    chownSync(folder, as.uid, as.gid);
    // The folder of all files of the benchmarks is its owner's alone.
    chmodSync(tmpdir(), statSync(tmpdir()).mode | 0o011);
  }
  const initdb = ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
  execFileSync(join(bin, 'initdb'), initdb, { ...as, cwd: folder, stdio: 'ignore' });
  const port = await freePort();
  const changed = { ...SETTINGS, port: String(port), unix_socket_directories: folder };
  const args = Object.entries(changed).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...args], { ...as, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const discard = (): void => {
    child.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', discard);
  const login = { user: 'bench', password: 'none', database: 'postgres' };
  const pool = new pg.Pool({ ...login, host: '127.0.0.1', port, max: 10 });
  pool.on('error', () => undefined);
  while (!(await pool.query('SELECT 1').catch(() => undefined)));
  return {
    settings: { ...login, nodes: [{ host: '127.0.0.1', port }] },
    cpuSeconds: () => ownSeconds() + secondsBelow(child.pid ?? 0),
    pool,
    stop: async () => {
      await pool.end();
      child.kill('SIGQUIT');
      await ended;
      discard();
    },
  };
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Processor time of a process, of its children, and of those that ended. */
function secondsBelow(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  const ticks = [pid, ...children].map((one) => {
    const [, , , , , , , , , , , user, system, endedUser, endedSystem] = readFileSync(`/proc/${one}/stat`, 'utf8')
      .replace(/\(.*\) /, '')
      .split(' ')
      .map(Number);
    return [user, system, endedUser, endedSystem].reduce<number>((sum, value = 0) => sum + value, 0);
  });
  return ticks.reduce((sum, value) => sum + value, 0) / TICKS_PER_SECOND;
}
