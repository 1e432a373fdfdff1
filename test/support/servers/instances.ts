import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../stores/redis.ts';
import { type ServerOptions, startServer, type TestServer } from './server.ts';

/** Several servers behind one public URL, on one store and one master key. */
export interface Instances {
  servers: [TestServer, TestServer];
  /** Starts another instance. */
  join(options?: Pick<ServerOptions, 'wrapStore'>): Promise<TestServer>;
  close(): Promise<void>;
}

/** Starts two servers; the first one's address is the public URL of both. */
export async function startInstances(options: Pick<ServerOptions, 'store' | 'settings'>): Promise<Instances> {
  const dataDir = await mkdtemp(join(tmpdir(), 'credenza-instances-'));
  const first = await startServer({ ...options, dataDir });
  const all = [first];
  const startAnother: Instances['join'] = async (own) => {
    const settings = { ...options.settings, port: await freePort(), publicUrl: first.url };
    const server = await startServer({ ...options, ...own, settings, dataDir });
    all.push(server);
    return server;
  };
  return {
    servers: [first, await startAnother()],
    join: startAnother,
    close: async () => {
      await Promise.all(all.map((server) => server.close()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
