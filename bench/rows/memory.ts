import { Redis } from 'ioredis';
import { MemoryCounters } from '../../adapters/memory/counters.ts';
import { RedisStore } from '../../adapters/redis/redis-store.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import type { Line } from '../support/harness.ts';
import { makeIssuer, offerRequest } from '../support/issuer.ts';
import { usedBytes } from '../support/memory.ts';
import { SILENT } from '../support/platform.ts';
import { isRedisInstalled, startRedis } from '../support/redis-server.ts';

const SESSIONS = 100_000;
const SESSIONS_MIB = 160;
const AT_ONCE = 100;

async function memoryOfSessions(
  named: string,
  { used, database, sessions }: { used: () => Promise<number>; database?: (clock: Clock) => Store; sessions: number },
): Promise<Line> {
  const { issuers, offers } = await makeIssuer(database);
  const request = { content: offerRequest() };
  const make = () => offers.create(issuers.draft13, request);
  await make();
  const before = await used();
  for (let made = 0; made < sessions; made += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, make));
  const mib = (((await used()) - before) * (SESSIONS / sessions)) / 2 ** 20;
  // Used once more, so that they are not collected before they are measured.
  await make();
  const work = `100,000 issuance sessions in ${named}, sealed`;
  const [allowed, goal] = [`${SESSIONS_MIB} MiB allowed`, { atMost: 1 }];
  return { work, ours: `${mib.toFixed(1)} MiB`, beside: allowed, ratio: mib / SESSIONS_MIB, goal };
}

async function memoryOfRedis(sessions: number): Promise<Line> {
  if (!isRedisInstalled())
    return { work: 'issuance sessions, Redis', ours: 'not measured', beside: 'redis-server is not installed' };
  const { port, stop } = await startRedis();
  const client = new Redis(port, '127.0.0.1');
  const used = async () => Number(/^used_memory:(\d+)/m.exec(await client.info('memory'))?.[1]);
  const nodes = [{ host: '127.0.0.1', port }];
  const address = { cluster: false, nodes, user: '', password: '', tls: false, keyPrefix: 'credenza:' };
  const database = (clock: Clock) => new RedisStore(address, { clock, log: SILENT });
  const line = await memoryOfSessions('Redis', { used, database, sessions });
  client.disconnect();
  await stop();
  return line;
}

/**
 * Memory of issuance sessions with one credential each that no wallet has fetched: of this process, and of Redis; from as
 * many as are given.
 */
export const sessionMemory = async (sessions = SESSIONS): Promise<Line[]> => [
  await memoryOfSessions('memory', { used: usedBytes, sessions }),
  await memoryOfRedis(sessions),
];

const KEYS = 100_000;
const COUNTERS_MIB = 12;
/** The largest of the limits that are on by default. */
const LIMIT = 10;

async function memoryOfCounters(requests: number): Promise<Line> {
  const before = await usedBytes();
  const counters = new MemoryCounters({ now: () => performance.now() });
  for (let time = 0; time < requests; time += 1)
    for (let n = 0; n < KEYS; n += 1) {
      const source = `198.${n >> 14}.${(n >> 7) & 127}.${n & 127}`;
      await counters.admit({ section: 'x', target: '', source }, { requestsPerMinute: LIMIT });
    }
  const mib = ((await usedBytes()) - before) / 2 ** 20;
  const [allowed, goal] = [`${COUNTERS_MIB} MiB allowed`, { atMost: 1 }];
  const work = `100,000 limiter keys with ${requests} of ${LIMIT} requests`;
  // Used once more, so that they are not collected before they are measured.
  await counters.fail({ section: 'x', target: '', source: '' }, { requestsPerMinute: LIMIT });
  return { work, ours: `${mib.toFixed(1)} MiB`, beside: allowed, ratio: mib / COUNTERS_MIB, goal };
}

/** Memory of the counters of a process: each key with one request, and with all that its limit allows. */
export const limiterMemory = async (): Promise<Line[]> => [await memoryOfCounters(1), await memoryOfCounters(LIMIT)];
