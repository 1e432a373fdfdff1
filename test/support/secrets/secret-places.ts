import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { ServerOptions } from '../servers/server.ts';
import { addressesOf, startNode } from '../stores/redis.ts';
import type { SecretSweep } from './secret-sweep.ts';

/** A text that stands nowhere else. */
export const canary = (): string => `canary-${randomBytes(12).toString('hex')}`;

/** A store, what opens it, and all its bytes. */
export interface Place {
  options: ServerOptions;
  bytes(): Promise<string>;
  close(): Promise<void>;
}

/** The stores that secrets are looked for in. */
export const PLACES: Record<string, (sweep: SecretSweep) => Promise<Place>> = {
  SQLite: async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'credenza-secrets-'));
    const bytes = async (): Promise<string> => {
      const names = (await readdir(dataDir)).filter((name) => name.startsWith('credenza.sqlite'));
      return (await Promise.all(names.map((name) => readFile(join(dataDir, name), 'latin1')))).join('');
    };
    return { options: { store: 'sqlite', dataDir }, bytes, close: () => rm(dataDir, { recursive: true }) };
  },
  Redis: async (sweep) => {
    const node = await startNode();
    await node.command('CONFIG', 'SET', 'rdbcompression', 'no');
    const password = sweep.plant('Redis password', canary());
    await node.command('CONFIG', 'SET', 'requirepass', password);
    // The user is that of no other store that the environment chose.
    const store = { type: 'kvstore', nodes: addressesOf([node]), user: '', password } as const;
    const bytes = async (): Promise<string> => {
      const client = new Redis(node.port, node.host, { password });
      const keys = await client.keys('*');
      const values = await Promise.all(keys.map((key) => client.dumpBuffer(key)));
      client.disconnect();
      return [...keys, ...values.map((value) => value?.toString('latin1') ?? '')].join('\n');
    };
    return { options: { settings: { store } }, bytes, close: () => node.stop() };
  },
};
