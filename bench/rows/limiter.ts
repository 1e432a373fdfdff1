import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { ResilientCounters } from '../../adapters/decorators/resilience/resilient-counters.ts';
import { MemoryCounters } from '../../adapters/memory/counters.ts';
import { RedisCounters } from '../../adapters/redis/counters.ts';
import { RedisConnection } from '../../adapters/redis/redis-connection.ts';
import { compared, interleave, type Line, repeat, type Slice } from '../support/harness.ts';
import { SILENT } from '../support/platform.ts';
import { startRedis } from '../support/redis-server.ts';

const IN_FLIGHT = 32;
const LIMIT = 30;
const monotonicClock = { now: () => performance.now() };
const rule = { requestsPerMinute: LIMIT, backoff: { windowSeconds: 60, threshold: 5, blockSeconds: 300 } };
const limits = { points: LIMIT, duration: 60 };

const SOURCES = Array.from({ length: 20_000 }, (_, n) => `198.${n >> 14}.${(n >> 7) & 127}.${n & 127}`);

/** Requests of many sources in turn; a refusal counts like an admission, also where the library rejects. */
function requests(decide: (source: string) => Promise<unknown>): () => Promise<unknown> {
  let next = 0;
  return () => {
    next = (next + 1) % SOURCES.length;
    return decide(SOURCES[next] ?? '').catch(() => undefined);
  };
}

/** A slice that always has `IN_FLIGHT` requests under way. */
function inFlight(work: () => Promise<unknown>): Slice {
  return async () => {
    const one = repeat(work);
    const rates = await Promise.all(Array.from({ length: IN_FLIGHT }, () => one()));
    return rates.reduce((sum, rate) => sum + rate, 0);
  };
}

const keyOf = (source: string) => ({ section: 'wallet_auth_endpoint', target: '', source });

/** A decision on one request: an exact sliding window with blocks beside a fixed window without. */
export async function limiter(): Promise<Line[]> {
  const local = new MemoryCounters(monotonicClock);
  const peer = new RateLimiterMemory(limits);
  const memory = await interleave({
    ours: repeat(requests((source) => local.admit(keyOf(source), rule))),
    peer: repeat(requests((source) => peer.consume(source))),
  });
  const named = 'rate-limiter-flexible';
  const first = { work: 'limiter, memory', named, goal: { atLeast: 2.5 } };
  return [compared(first, memory.ours, memory.peer), ...(await inRedis(named))];
}

async function inRedis(named: string): Promise<Line[]> {
  const server = await startRedis();
  const nodes = [{ host: '127.0.0.1', port: server.port }];
  const link = new RedisConnection({ cluster: false, nodes, user: '', password: '', tls: false }, SILENT);
  await link.ping();
  const local = new MemoryCounters(monotonicClock);
  const ours = new ResilientCounters({ shared: new RedisCounters(link), local, monotonicClock, log: SILENT });
  const client = new Redis(server.port, '127.0.0.1', { maxRetriesPerRequest: 1, commandTimeout: 250 });
  // With the guarantees of ours: no longer wait, and limits of its own while the store does not answer.
  const insuranceLimiter = new RateLimiterMemory(limits);
  const peer = new RateLimiterRedis({ ...limits, storeClient: client, insuranceLimiter });
  const rates = await interleave({
    ours: inFlight(requests((source) => ours.admit(keyOf(source), rule))),
    peer: inFlight(requests((source) => peer.consume(source))),
  });
  link.close();
  client.disconnect();
  await server.stop();
  const line = { work: `limiter, Redis, ${IN_FLIGHT} in flight`, named, goal: { atLeast: 1 } };
  return [compared(line, rates.ours, rates.peer)];
}
