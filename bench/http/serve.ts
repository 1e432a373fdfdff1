import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves on a free port of loopback and tells the parent process which. */
export function listen(handle: RequestListener): void {
  const server = createServer(handle).listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
  process.on('disconnect', () => process.exit(0));
}

/** A server in a process of its own. */
export interface Served {
  port: number;
  close(): void;
}

/** The servers that are compared, by their module. */
export type ServerName = 'ours' | 'hand-written' | 'as-shipped' | 'hello';

/** Which server to start, with a document of how many operations. */
export interface ServerSpec {
  name: ServerName;
  size: number;
}

/** Starts a server in a process of its own. */
export async function serve({ name, size }: ServerSpec): Promise<Served> {
  const child: ChildProcess = fork(new URL(`${name}.ts`, import.meta.url), [String(size)]);
  const exited = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The server ${name} ended: ${code}`)));
  exited.catch(() => undefined);
  const [message] = await Promise.race([once(child, 'message'), exited]);
  return { port: (message as { port: number }).port, close: () => child.disconnect() };
}
