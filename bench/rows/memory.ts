import { MemoryCounters } from '../../adapters/memory/counters.ts';
import type { Line } from '../support/harness.ts';
import { makeIssuer, offerRequest } from '../support/issuer.ts';
import { usedBytes } from '../support/memory.ts';

const SESSIONS = 100_000;
const SESSIONS_MIB = 160;

/** Memory of issuance sessions with one credential each that no wallet has fetched, sealed, in the memory store. */
export async function sessionMemory(): Promise<Line[]> {
  const { issuers, offers } = await makeIssuer();
  const request = { content: offerRequest() };
  const make = () => offers.create(issuers.draft13, request);
  await make();
  const before = await usedBytes();
  for (let made = 0; made < SESSIONS; made += 1) await make();
  const mib = ((await usedBytes()) - before) / 2 ** 20;
  // Used once more, so that they are not collected before they are measured.
  await make();
  const work = '100,000 issuance sessions in memory, sealed';
  const [allowed, goal] = [`${SESSIONS_MIB} MiB allowed`, { atMost: 1 }];
  return [{ work, ours: `${mib.toFixed(1)} MiB`, beside: allowed, ratio: mib / SESSIONS_MIB, goal }];
}

const KEYS = 100_000;
const COUNTERS_MIB = 15;
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
