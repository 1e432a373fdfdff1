import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Address, freePort } from './redis.ts';

const run = promisify(execFile);

/** Who logs in to the servers of the tests. */
export const LOGIN = { user: 'credenza', password: 'open-sesame', database: 'postgres' };

/** What makes a server that is stopped and thrown away cheap; without it what is committed outlives a kill. */
const CHEAP = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };
const ALWAYS = {
  max_connections: '200',
  shared_buffers: '32MB',
  max_wal_senders: '4',
  logging_collector: 'off',
  log_min_messages: 'fatal',
};

/** Where Debian has the programs of each version. */
const DEBIAN = '/usr/lib/postgresql';

/** The folder of the programs of PostgreSQL. @throws Error when it is not installed */
export function programsOfPostgres(): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : [];
  const known = [...versions.map((version) => join(DEBIAN, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
  const folder = known.find((one) => existsSync(join(one, 'postgres')));
  if (folder) return folder;
  throw new Error('These tests need PostgreSQL. On Debian and Ubuntu: sudo apt-get install --yes postgresql');
}

const programIn = (name: string): string => join(programsOfPostgres(), name);

/** PostgreSQL refuses to run as root: it then runs as the user of its package. */
export const ownerOfPostgres = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
};

const running = new Set<PostgresServer>();
process.once('exit', () => {
  for (const server of running) server.discard();
});

/** A PostgreSQL server in a folder of its own. */
export class PostgresServer implements Address {
  readonly host = '127.0.0.1';
  readonly #folder: string;
  readonly #settings: Record<string, string>;
  #process: ChildProcess | undefined;

  constructor(
    readonly port: number,
    settings: Record<string, string>,
  ) {
    this.#folder = mkdtempSync(join(tmpdir(), 'credenza-postgres-'));
    this.#settings = { ...ALWAYS, ...settings, unix_socket_directories: this.#folder };
    running.add(this);
    const user = ownerOfPostgres();
    if (user) chownSync(this.#folder, user.uid, user.gid);
  }

  get data(): string {
    return join(this.#folder, 'data');
  }

  /** Makes an empty database. @throws Error when PostgreSQL is not installed */
  async create(): Promise<void> {
    const file = join(this.#folder, 'password');
    writeFileSync(file, LOGIN.password);
    chmodSync(file, 0o644);
    await this.#run(
      'initdb',
      '--no-sync',
      '-E',
      'UTF8',
      '--locale=C',
      '-U',
      LOGIN.user,
      '--pwfile',
      file,
      '-A',
      'scram-sha-256',
    );
  }

  /** Copies another server, which this one follows from now on. */
  async follow(primary: PostgresServer): Promise<void> {
    const from = `host=${primary.host} port=${primary.port} user=${LOGIN.user} password=${LOGIN.password}`;
    await this.#run('pg_basebackup', '--no-sync', '-c', 'fast', '-X', 'stream', '-R', '-d', from);
  }

  async start(): Promise<void> {
    const settings = Object.entries({ ...this.#settings, port: String(this.port), listen_addresses: this.host });
    const args = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(programIn('postgres'), ['-D', this.data, ...args], { stdio: 'ignore', ...ownerOfPostgres() });
    this.#process = child;
    const gone = once(child, 'exit').then(([code]) => {
      throw new Error(`postgres on port ${this.port} ended with ${code}`);
    });
    gone.catch(() => undefined);
    await Promise.race([this.#answers(), gone]);
  }

  /** Makes a standby take writes. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()');
  }

  /** Suspends every process of the server; its connections stay open. */
  async pause(): Promise<void> {
    await this.#signalAll('STOP');
  }

  async resume(): Promise<void> {
    await this.#signalAll('CONT');
  }

  /** Kills the server as a crash does; what was committed is there when it starts again, unless it is a cheap one. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    await this.#signalAll('KILL');
    await ended;
    rmSync(join(this.data, 'postmaster.pid'), { force: true });
  }

  /** Runs statements on a new connection; returns the rows of the last one. */
  async query(text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ ...LOGIN, host: this.host, port: this.port });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return [await client.query(text)].flat().at(-1)?.rows ?? [];
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async stop(): Promise<void> {
    await this.kill();
    this.discard();
  }

  /** Does not wait; for the exit of the test process. */
  discard(): void {
    this.#process?.kill('SIGQUIT');
    rmSync(this.#folder, { recursive: true, force: true });
    running.delete(this);
  }

  async #run(program: string, ...args: string[]): Promise<void> {
    await run(programIn(program), [...args, '-D', this.data], { ...ownerOfPostgres(), cwd: this.#folder });
  }

  async #signalAll(signal: string): Promise<void> {
    const { pid } = this.#process ?? {};
    const { stdout } = await run('pgrep', ['-P', String(pid)]).catch(() => ({ stdout: '' }));
    const all = [pid, ...stdout.split('\n').filter(Boolean)].map(String);
    await run('kill', [`-${signal}`, ...all]).catch(() => undefined);
  }

  async #answers(): Promise<void> {
    const opened = async (): Promise<boolean> =>
      this.query('SELECT 1').then(
        () => true,
        // A server that demands TLS has answered too.
        (error) => error.code === '28000',
      );
    while (!(await opened())) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A new server, for tests that stop or fill it; `prepare` may change the files of its folder before it starts. */
export async function startPostgres(
  settings: Record<string, string> = {},
  prepare: (data: string) => Promise<void> = async () => {},
): Promise<PostgresServer> {
  const server = new PostgresServer(await freePort(), settings);
  await server.create();
  await prepare(server.data);
  await server.start();
  return server;
}

/** A standby of a server, which follows it until it is promoted. */
export async function followPostgres(primary: PostgresServer): Promise<PostgresServer> {
  const standby = new PostgresServer(await freePort(), {});
  await standby.follow(primary);
  await standby.start();
  return standby;
}

let server: Promise<PostgresServer> | undefined;

/** The server that all tests share, each with a schema of its own. */
export function sharedPostgres(): Promise<PostgresServer> {
  server ??= startPostgres(CHEAP);
  return server;
}
