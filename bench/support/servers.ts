import { type ChildProcess, fork as forkProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BENCH = new URL('../', import.meta.url);

/** Serves on a free port of loopback, and answers each message of the parent process with the processor time used so far. */
export function listen(handle: RequestListener): void {
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.on('disconnect', () => process.exit(0));
  const server = createServer(handle).listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
}

/** A server in a process of its own. */
export interface Server {
  port: number;
  /** Seconds of processor time that the process has used so far, on all threads. */
  cpuSeconds(): Promise<number>;
  /** Ends the process. */
  close(): Promise<void>;
}

/** What a process sends once it serves. */
interface Ready {
  port: number;
  /** How long the start took, where it is measured. */
  milliseconds: number;
}

/** Runs a module of the benchmarks, by its path without extension, until it serves. */
export async function fork(module: string, given: string[]): Promise<Server & Ready> {
  const child = forkProcess(new URL(`${module}.js`, BENCH), given);
  const exited = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${module} ended with ${code}`)));
  exited.catch(() => undefined);
  const [ready] = (await Promise.race([once(child, 'message'), exited])) as [Ready];
  return { ...ready, ...controls(child) };
}

function controls(child: ChildProcess): Pick<Server, 'cpuSeconds' | 'close'> {
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit').then(() => process.off('exit', kill));
  return {
    cpuSeconds: async () => {
      child.send('cpu');
      const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage];
      return (user + system) / 1e6;
    },
    close: async () => {
      child.kill();
      await ended;
    },
  };
}

/** A server of the order document: its module, and how many operations the document has. */
export interface OrderServerSpec {
  name: 'support/edge-server' | 'baselines/hand-written' | 'baselines/as-shipped' | 'baselines/bare-koa';
  size: number;
}

/** Starts a server of the order document. */
export const serveOrders = ({ name, size }: OrderServerSpec): Promise<Server> => fork(name, [String(size)]);

/** Returns a new folder with these configuration files, by their names without extension. */
export function configFolder(files: Record<string, object>): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, `${name}.conf`), JSON.stringify(content));
  return folder;
}

/** The folder of a server's configuration and data, and its log level; the log goes to a file in it. */
export interface ProductSpec {
  folder: string;
  logLevel?: 'info' | 'silent';
}

/** Runs `serve` of the product, as operators do. */
export async function serveProduct({ folder, logLevel = 'silent' }: ProductSpec): Promise<Server> {
  const log = openSync(join(folder, 'log'), 'a');
  const reporter = fileURLToPath(new URL('support/report-cpu.js', BENCH));
  const child = spawn(process.execPath, ['--import', reporter, 'dist/main.js', 'serve'], {
    env: { ...process.env, CONFIG_DIR: folder, DATA_DIR: folder, PORT: '0', LOG_LEVEL: logLevel },
    stdio: ['ignore', 'pipe', log, 'ipc'],
  });
  return { port: await portOf(child), ...controls(child) };
}

async function portOf(child: ChildProcess): Promise<number> {
  let printed = '';
  for await (const chunk of child.stdout ?? []) {
    printed += chunk;
    const port = /http:\/\/[^\s:]+:(\d+)/.exec(printed)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`The server ended: ${printed}`);
}
