import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock, Ids, Random, Stopwatch } from '../../ports/system.ts';

export const systemClock: Clock = { now: () => Date.now() };
export const systemIds: Ids = { uuid: () => randomUUID() };
export const systemRandom: Random = { bytes: (length) => randomBytes(length) };
export const systemStopwatch: Stopwatch = { elapsed: () => performance.now() };
