import { randomUUID } from 'node:crypto';
import { ResilientCounters } from '../../../adapters/decorators/resilience/resilient-counters.ts';
import { MemoryCounters } from '../../../adapters/memory/counters.ts';
import { RedisCounters } from '../../../adapters/redis/counters.ts';
import { RedisConnection } from '../../../adapters/redis/redis-connection.ts';
import type { CountersUnderTest } from '../../contract/counters.contract.ts';
import { silentLog } from '../servers/silent-log.ts';
import { sharedCluster, sharedNode } from './redis.ts';

/** A monotonic clock that only the test moves. */
export const handStopwatch = () => {
  let time = 5_000_000_000;
  return {
    now: () => time,
    advance: (ms: number) => {
      time += ms;
    },
  };
};

/** Sets all times back, which equals moving the clock of the server forward. */
const SET_BACK = `
for _, key in ipairs(redis.call('KEYS', ARGV[1] .. '*')) do
  local earlier = string.gsub(redis.call('GET', key), '%d%d%d%d%d%d%d%d%d%d%d%d%d', function(time)
    return string.format('%013d', math.max(0, time - ARGV[2]))
  end)
  redis.call('SET', key, earlier, 'KEEPTTL')
end`;

interface Opened extends CountersUnderTest {
  link: RedisConnection;
}

async function openRedis(cluster: boolean): Promise<Opened> {
  const nodes = cluster ? (await sharedCluster()).nodes : [await sharedNode()];
  const addresses = nodes.map(({ host, port }) => ({ host, port }));
  const link = new RedisConnection({ cluster, nodes: addresses, user: '', password: '', tls: false }, silentLog);
  await link.ping();
  const prefix = `test-${randomUUID()}:`;
  return {
    link,
    counters: new RedisCounters(link, prefix),
    advance: async (ms) => {
      if (ms > 0) await Promise.all(link.masters().map((node) => node.eval(SET_BACK, 0, prefix, ms)));
    },
    close: async () => link.close(),
  };
}

async function openMemory(): Promise<CountersUnderTest> {
  const monotonicClock = handStopwatch();
  return {
    counters: new MemoryCounters(monotonicClock),
    advance: async (ms) => monotonicClock.advance(ms),
    close: async () => {},
  };
}

/** Redis with the in-process counters as its fallback. */
async function openResilient(): Promise<CountersUnderTest> {
  const redis = await openRedis(false);
  const monotonicClock = handStopwatch();
  const local = new MemoryCounters(monotonicClock);
  return {
    counters: new ResilientCounters({ shared: redis.counters, local, monotonicClock, log: silentLog }),
    advance: async (ms) => {
      monotonicClock.advance(ms);
      await redis.advance(ms);
    },
    close: redis.close,
  };
}

/** Every implementation of the counters. */
export const COUNTERS: Record<string, () => Promise<CountersUnderTest>> = {
  memory: openMemory,
  Redis: () => openRedis(false),
  'Redis Cluster': () => openRedis(true),
  'Redis or memory': openResilient,
};
