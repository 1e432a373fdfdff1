import { randomUUID } from 'node:crypto';
import { MemoryCounters } from '../../adapters/memory/counters.ts';
import { RedisCounters } from '../../adapters/redis/counters.ts';
import { RedisLink } from '../../adapters/redis/redis-link.ts';
import { ResilientCounters } from '../../adapters/resilience/resilient-counters.ts';
import type { Log } from '../../ports/log.ts';
import type { CountersUnderTest } from '../contract/counters.contract.ts';
import { sharedCluster, sharedNode } from './redis.ts';

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A stopwatch that moves only when told. */
export const handStopwatch = () => {
  let time = 5_000_000_000;
  return {
    elapsed: () => time,
    advance: (ms: number) => {
      time += ms;
    },
  };
};

/** Sets all times back, which is the same as moving the clock of the server, that nobody can. */
const SET_BACK = `
for _, key in ipairs(redis.call('KEYS', ARGV[1] .. '*')) do
  local earlier = string.gsub(redis.call('GET', key), '%d%d%d%d%d%d%d%d%d%d%d%d%d', function(time)
    return string.format('%013d', math.max(0, time - ARGV[2]))
  end)
  redis.call('SET', key, earlier, 'KEEPTTL')
end`;

interface Opened extends CountersUnderTest {
  link: RedisLink;
}

async function openRedis(cluster: boolean): Promise<Opened> {
  const nodes = cluster ? (await sharedCluster()).nodes : [await sharedNode()];
  const addresses = nodes.map(({ host, port }) => ({ host, port }));
  const link = new RedisLink({ cluster, nodes: addresses, user: '', password: '', tls: false }, silent);
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
  const stopwatch = handStopwatch();
  return {
    counters: new MemoryCounters(stopwatch),
    advance: async (ms) => stopwatch.advance(ms),
    close: async () => {},
  };
}

/** Redis with the counters of the process behind it. */
async function openResilient(): Promise<CountersUnderTest> {
  const redis = await openRedis(false);
  const stopwatch = handStopwatch();
  const local = new MemoryCounters(stopwatch);
  return {
    counters: new ResilientCounters({ shared: redis.counters, local, stopwatch, log: silent }),
    advance: async (ms) => {
      stopwatch.advance(ms);
      await redis.advance(ms);
    },
    close: redis.close,
  };
}

/** Every kind of counters there is. */
export const COUNTERS: Record<string, () => Promise<CountersUnderTest>> = {
  memory: openMemory,
  Redis: () => openRedis(false),
  'Redis Cluster': () => openRedis(true),
  'Redis or memory': openResilient,
};
