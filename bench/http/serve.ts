import { fork as forkProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Tells the parent process that requests can come, and from then on how much processor time was used. */
export function tellReady(port: number): void {
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.on('disconnect', () => process.exit(0));
  process.send?.({ port });
}

/** Serves on a free port of loopback. */
export function listen(handle: RequestListener): void {
  const server = createServer(handle).listen(0, '127.0.0.1', () => tellReady((server.address() as AddressInfo).port));
}

/** What a process said first, and the way to end it. */
export interface Forked {
  port: number;
  /** How long it took to get ready, where it tells. */
  milliseconds: number;
  /** Seconds of processor time used so far, on all threads; only of servers. */
  cpuSeconds(): Promise<number>;
  close(): void;
}

/** Runs a module of this folder, by its name, in a process of its own until it says that it is ready. */
export async function fork(module: string, given: string[]): Promise<Forked> {
  const child = forkProcess(new URL(`${module}.js`, import.meta.url), given);
  const exited = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${module} ended with ${code}`)));
  exited.catch(() => undefined);
  const [message] = (await Promise.race([once(child, 'message'), exited])) as [Pick<Forked, 'port' | 'milliseconds'>];
  const cpuSeconds = async () => {
    child.send('cpu');
    const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage];
    return (user + system) / 1e6;
  };
  return { ...message, cpuSeconds, close: () => child.disconnect() };
}

/** Which server of the edge to start, with a document of how many operations. */
export interface ServerSpec {
  name: 'ours' | 'hand-written' | 'as-shipped' | 'hello';
  size: number;
}

/** Starts a server of the edge. */
export const serve = ({ name, size }: ServerSpec): Promise<Forked> => fork(name, [String(size)]);
