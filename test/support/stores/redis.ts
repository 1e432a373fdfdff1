import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';

const run = promisify(execFile);

/** Where a process listens. */
export interface Address {
  host: string;
  port: number;
}

/** The cluster bus listens on the port plus 10000; ephemeral ports begin at 32768. */
const PORTS = { first: 21_000, last: 31_000 };
let nextPort = PORTS.first + Math.floor(Math.random() * 9000);

const running = new Set<RedisNode>();
process.once('exit', () => {
  for (const node of running) node.discard();
});
// Without this, a SIGTERM would leave the servers running.
process.once('SIGTERM', () => process.exit(143));

/** A redis-server process without persistence. */
export class RedisNode implements Address {
  readonly host = '127.0.0.1';
  readonly port: number;
  readonly #folder: string;
  readonly #options: string[];
  #process: ChildProcess | undefined;

  constructor(port: number, options: string[] = []) {
    this.port = port;
    this.#folder = mkdtempSync(join(tmpdir(), 'credenza-redis-'));
    this.#options = options;
    running.add(this);
  }

  /** Starts empty; a node of a cluster keeps its configuration. @throws Error when redis-server is not installed */
  async start(): Promise<void> {
    mkdirSync(this.#folder, { recursive: true });
    const place = ['--bind', this.host, '--port', String(this.port), '--dir', this.#folder];
    const child = spawn('redis-server', [...place, '--save', '', '--appendonly', 'no', ...this.#options], {
      stdio: 'ignore',
    });
    this.#process = child;
    const failed = once(child, 'error').then(([error]) => {
      throw new Error(
        `These tests need redis-server. On Debian and Ubuntu: sudo apt-get install --yes redis-server (${error.message})`,
      );
    });
    const gone = once(child, 'exit').then(([code]) => {
      throw new Error(`redis-server on port ${this.port} ended with ${code}`);
    });
    gone.catch(() => undefined);
    failed.catch(() => undefined);
    await Promise.race([this.#answers(), failed, gone]);
  }

  /** Suspends the process; its connections stay open. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Kills the process; its data is lost. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** Runs one command on a new connection. */
  async command(name: string, ...args: string[]): Promise<unknown> {
    const client = new Redis(this.port, this.host, { lazyConnect: true, maxRetriesPerRequest: 1 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  }

  async stop(): Promise<void> {
    await this.kill();
    this.discard();
  }

  /** Does not wait; for the exit of the test process. */
  discard(): void {
    this.#process?.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
    running.delete(this);
  }

  async #answers(): Promise<void> {
    for (;;) {
      const pong = await this.command('PING').catch(() => undefined);
      if (pong === 'PONG') return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** A cluster of processes: `masters` in the order of their slots, and optional replicas. */
export interface RedisCluster {
  nodes: RedisNode[];
  stop(): Promise<void>;
}

/** The addresses in the form of the settings. */
export const addressesOf = (nodes: Address[]): Address[] => nodes.map(({ host, port }) => ({ host, port }));

/** A new server, for tests that stop or fill it. */
export async function startNode(...options: string[]): Promise<RedisNode> {
  const node = new RedisNode(await freePort(), options);
  await node.start();
  return node;
}

/** The time without an answer after which the other nodes consider a node failed, in milliseconds. */
const SOON = 2000;
/** On a busy machine a working node may not answer for seconds. */
const LATE = 15_000;

const clusterOptions = (silence: number): string[] => [
  ...['--cluster-enabled', 'yes', '--cluster-node-timeout', String(silence)],
  ...['--repl-diskless-sync-delay', '0'],
];

/** A new cluster with three masters, each with `replicas` replicas. */
export async function startCluster({ replicas = 0, silence = SOON } = {}): Promise<RedisCluster> {
  const count = 3 * (1 + replicas);
  const nodes: RedisNode[] = [];
  for (let n = 0; n < count; n += 1) nodes.push(await startNode(...clusterOptions(silence)));
  const places = nodes.map(({ host, port }) => `${host}:${port}`);
  const options = ['--cluster-replicas', String(replicas), '--cluster-yes'];
  await run('redis-cli', ['--cluster', 'create', ...places, ...options]);
  await isWhole(nodes);
  await everyNode(nodes, ['INFO', 'replication'], /role:master|master_link_status:up/);
  return { nodes, stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))) };
}

/** Resolves when every node reports that every slot is served. */
export const isWhole = (nodes: RedisNode[]): Promise<void> => everyNode(nodes, ['CLUSTER', 'INFO'], /cluster_state:ok/);

/** Resolves when these nodes serve every slot without the failed one. */
export async function failedOver(nodes: RedisNode[], lost: RedisNode): Promise<void> {
  await everyNode(nodes, ['CLUSTER', 'NODES'], new RegExp(`:${lost.port}@\\d+ \\S*fail .* disconnected\\n`));
  await isWhole(nodes);
}

async function everyNode(nodes: RedisNode[], [name = '', ...args]: string[], says: RegExp): Promise<void> {
  for (;;) {
    const answers = await Promise.all(nodes.map((node) => node.command(name, ...args).catch(() => '')));
    if (answers.every((answer) => says.test(String(answer)))) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

let node: Promise<RedisNode> | undefined;
let cluster: Promise<RedisCluster> | undefined;

/** The server that all tests share, each with its own key prefix. */
export function sharedNode(): Promise<RedisNode> {
  node ??= startNode();
  return node;
}

/** The cluster that all tests share. */
export function sharedCluster(): Promise<RedisCluster> {
  cluster ??= startCluster({ silence: LATE });
  return cluster;
}

/** A port that is free, as is the port plus 10000. */
export async function freePort(): Promise<number> {
  for (;;) {
    nextPort = nextPort >= PORTS.last ? PORTS.first : nextPort + 1;
    const port = nextPort;
    if ((await isFree(port)) && (await isFree(port + 10_000))) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
