import { compiled } from './compiled.ts';
import type { Line } from './harness.ts';
import { usedBytes } from './memory.ts';

const { MemoryCounters } = await compiled<typeof import('../adapters/memory/counters.ts')>('adapters/memory/counters');

const KEYS = 100_000;
const ALLOWED_MIB = 15;
/** The largest limit among the contract's own. */
const LIMIT = 10;

async function measured(requests: number): Promise<Line> {
  const before = await usedBytes();
  const counters = new MemoryCounters({ now: () => performance.now() });
  for (let time = 0; time < requests; time += 1)
    for (let n = 0; n < KEYS; n += 1) {
      const source = `198.${n >> 14}.${(n >> 7) & 127}.${n & 127}`;
      await counters.admit({ section: 'x', target: '', source }, { requestsPerMinute: LIMIT });
    }
  const mib = ((await usedBytes()) - before) / 2 ** 20;
  const [allowed, goal] = [`${ALLOWED_MIB} MiB allowed`, { atMost: 1 }];
  const work = `100,000 limiter keys with ${requests} of ${LIMIT} requests`;
  // Without this the counters could be let go before they are measured.
  await counters.fail({ section: 'x', target: '', source: '' }, { requestsPerMinute: LIMIT });
  return { work, ours: `${mib.toFixed(1)} MiB`, beside: allowed, ratio: mib / ALLOWED_MIB, goal };
}

/** Memory of the counters of a process, at first and when every key has used up its minute. */
export const limiterMemory = async (): Promise<Line[]> => [await measured(1), await measured(LIMIT)];
