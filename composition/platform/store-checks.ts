import { existsSync } from 'node:fs';
import type { ConfigurationProblem } from '../../adapters/config/errors.ts';
import type { Settings } from '../../adapters/config/settings.ts';
import { silentLog } from '../../adapters/log/silent-log.ts';
import type { PostgresStoreSettings } from '../../adapters/postgres/address.ts';
import { refusedField } from '../../adapters/postgres/faults.ts';
import { PostgresStore } from '../../adapters/postgres/postgres-store.ts';
import { isRefusal } from '../../adapters/redis/faults.ts';
import { RedisConnection } from '../../adapters/redis/redis-connection.ts';
import { RedisStore, type RedisStoreSettings } from '../../adapters/redis/redis-store.ts';
import { openSqlite } from '../../adapters/sqlite/driver.ts';
import { SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { DomainError, reasonOf } from '../../domain/foundation/errors.ts';
import type { Store } from '../../ports/store.ts';

/** The result of a check: the state in words, warnings, and what is wrong with the configuration. */
export interface StoreFinding {
  state: string;
  warnings: string[];
  problems: ConfigurationProblem[];
}

/** The file that configures a database, and what its fields begin with. */
interface Configured {
  file: string;
  before: string;
}

const STORE: Configured = { file: 'store.conf', before: '' };
const LIMITS: Configured = { file: 'rate-limit.conf', before: 'persistence.' };

/** Finds out, without a change, whether a start would refuse the store. @throws Error with the reason */
export type Examination = (store: Store) => Promise<void>;

/** Connects to Redis, examines what it holds and writes a probe that it deletes. */
export async function checkRedis(address: RedisStoreSettings, examine: Examination): Promise<StoreFinding> {
  const store = new RedisStore(address, { clock: systemClock, log: silentLog });
  return checkOpened(STORE, store, async () => {
    await writes(store);
    await examine(store);
    return found('takes writes', await store.warnings());
  });
}

/** Connects to PostgreSQL, examines what it holds and writes a probe; does not make tables. */
export async function checkPostgres(settings: PostgresStoreSettings, examine: Examination): Promise<StoreFinding> {
  const store = new PostgresStore(settings, { clock: systemClock, log: silentLog });
  return checkOpened(STORE, store, async () => {
    if (!(await store.hasTables())) return found('is made by the first start');
    await writes(store);
    await examine(store);
    return found('takes writes');
  });
}

/** Connects to the store of the rate limits; undefined when each process counts for itself. */
export async function checkLimitStore({ rateLimit: { persistence } }: Settings): Promise<StoreFinding | undefined> {
  if (persistence.type === 'memory') return undefined;
  const link = new RedisConnection({ ...persistence, cluster: persistence.type === 'kvstore-cluster' }, silentLog);
  return checkOpened(LIMITS, link, async () => {
    await link.ping();
    return found('answers', await link.warnings());
  });
}

/** Opens a SQLite file, examines what it holds and writes a probe; does not create a file. */
export async function checkSqlite(file: string, examine: Examination): Promise<StoreFinding> {
  let store: SqliteStore;
  try {
    // Without a file, too, the driver must be there.
    openSqlite(':memory:').close();
    if (!existsSync(file)) return found('is made by the first start');
    store = new SqliteStore(file, systemClock);
  } catch (error) {
    return refused(error);
  }
  return checkOpened(STORE, store, async () => {
    await writes(store);
    await examine(store);
    return found('takes writes');
  });
}

async function writes(store: Store): Promise<void> {
  await store.ping();
  await store.checkWritable();
}

/** A refused login and data that a start refuses are problems; a database that does not answer is only a warning. */
async function checkOpened(
  { file, before }: Configured,
  opened: { close(): unknown },
  look: () => Promise<StoreFinding>,
): Promise<StoreFinding> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof DomainError)) return refused(error);
    const field = isRefusal(error) ? 'password' : refusedField(error);
    if (field === undefined) return outage(error);
    return { ...outage(error), problems: [{ file, field: `${before}${field}`, message: reasonOf(error) }] };
  } finally {
    await opened.close();
  }
}

/** Returns a finding without a mistake in the configuration. */
export const found = (state: string, warnings: string[] = []): StoreFinding => ({ state, warnings, problems: [] });

/** The finding about a store with which a server does not start. */
export const refused = (error: unknown): StoreFinding => ({
  ...found('is refused by a start'),
  problems: [{ file: 'store.conf', field: '', message: reasonOf(error) }],
});

const outage = (error: unknown): StoreFinding => found('cannot be used now', [reasonOf(error)]);

/** The addresses of a database in words. */
export const nodesOf = ({ nodes }: Pick<Settings['store'], 'nodes'>): string =>
  nodes.map(({ host, port }) => `${host}:${port}`).join(', ');
