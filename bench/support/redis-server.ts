import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { Redis } from 'ioredis';

/** Starts a redis-server on loopback that writes nothing to disk. */
export async function startRedis(): Promise<{ port: number; stop: () => Promise<void> }> {
  const port = await freePort();
  const options = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', tmpdir()];
  const child = spawn('redis-server', options, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  process.once('exit', () => child.kill('SIGKILL'));
  const probe = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null });
  probe.on('error', () => undefined);
  await probe.ping();
  probe.disconnect();
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { port, stop };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Whether there is a redis-server on this machine. */
export function isRedisInstalled(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
