import { randomFillSync, randomUUID } from 'node:crypto';
import type { Clock, Ids, MonotonicClock, Random, Timers, Turns } from '../../ports/system.ts';

export const systemClock: Clock = { now: () => Date.now() };
/** In one piece: the text that Node makes is a chain of pieces, which takes some 400 bytes more while it is kept. */
export const systemIds: Ids = { uuid: () => Buffer.from(randomUUID()).toString() };
export const systemTimers: Timers = {
  every: (ms, work) => {
    const timer = setInterval(work, ms).unref();
    return () => clearInterval(timer);
  },
};
export const systemTurns: Turns = { next: (work) => void setImmediate(work) };
export const systemMonotonicClock: MonotonicClock = { now: () => performance.now() };

const POOL_BYTES = 4096;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/** Random bytes are drawn in blocks, since each draw costs half as much as a signature. No byte is used twice or kept. */
export const systemRandom: Random = {
  bytes: (length) => {
    if (length > POOL_BYTES) return randomFillSync(new Uint8Array(length));
    if (used + length > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = Uint8Array.prototype.slice.call(pool, used, used + length);
    pool.fill(0, used, used + length);
    used += length;
    return bytes;
  },
};
