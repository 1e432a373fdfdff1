import { existsSync } from 'node:fs';
import type { ConfigurationProblem } from '../adapters/config/configuration-error.ts';
import type { Settings } from '../adapters/config/settings.ts';
import { isRefusal } from '../adapters/redis/faults.ts';
import { RedisConnection } from '../adapters/redis/redis-connection.ts';
import { RedisStore, type RedisStoreSettings } from '../adapters/redis/redis-store.ts';
import { SqliteStore } from '../adapters/sqlite/sqlite-store.ts';
import { systemClock } from '../adapters/system/system.ts';
import { reasonOf } from '../domain/foundation/errors.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';

/** What was found of a database: `state` in words, what to look after, and what is wrong with the configuration. */
export interface StoreFinding {
  state: string;
  warnings: string[];
  problems: ConfigurationProblem[];
}

/** Where the login of a database is configured. */
interface LoginField {
  file: string;
  field: string;
}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Tries Redis: a connection and a write that leaves nothing behind. */
export async function checkRedis(address: RedisStoreSettings): Promise<StoreFinding> {
  const store = new RedisStore(address, { clock: systemClock, log: silent });
  return tryOut({ file: 'store.conf', field: 'password' }, store, async () => {
    await writes(store);
    return found('takes writes', await store.warnings());
  });
}

/** Tries the store of the rate limits, in the same way; undefined when they are counted in the process. */
export async function checkLimitStore({ rateLimit: { persistence } }: Settings): Promise<StoreFinding | undefined> {
  if (persistence.type === 'memory') return undefined;
  const link = new RedisConnection({ ...persistence, cluster: persistence.type === 'kvstore-cluster' }, silent);
  return tryOut({ file: 'rate-limit.conf', field: 'persistence.password' }, link, async () => {
    await link.ping();
    return found('answers', await link.warnings());
  });
}

/** Tries a file in the same way; one that does not exist is not created. */
export async function checkSqlite(file: string): Promise<StoreFinding> {
  if (!existsSync(file)) return found('is made by the first start');
  const isUsable = async (): Promise<StoreFinding> => {
    const store = new SqliteStore(file, systemClock);
    return tryOut({ file: 'store.conf', field: 'type' }, store, () => writes(store).then(() => found('takes writes')));
  };
  return isUsable().catch(outage);
}

async function writes(store: Store): Promise<void> {
  await store.ping();
  await store.checkWritable();
}

/** A login that is refused is a wrong configuration; that a database is away is not. */
async function tryOut(
  { file, field }: LoginField,
  opened: { close(): unknown },
  look: () => Promise<StoreFinding>,
): Promise<StoreFinding> {
  try {
    return await look();
  } catch (error) {
    return isRefusal(error)
      ? { ...outage(error), problems: [{ file, field, message: reasonOf(error) }] }
      : outage(error);
  } finally {
    await opened.close();
  }
}

/** A finding that is no problem of the configuration. */
export const found = (state: string, warnings: string[] = []): StoreFinding => ({ state, warnings, problems: [] });

const outage = (error: unknown): StoreFinding => found('cannot be used now', [reasonOf(error)]);

/** The addresses of Redis in words. */
export const nodesOf = ({ nodes }: Pick<Settings['store'], 'nodes'>): string =>
  nodes.map(({ host, port }) => `${host}:${port}`).join(', ');
