import { existsSync, openSync, readSync } from 'node:fs';

/**
 * Milliseconds of processor time that this process spends on some work: a bound of it holds however busy the machine is.
 */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** What Linux says of the first thread of this process: nanoseconds on a processor, nanoseconds waiting for one, turns. */
const SCHEDULED = '/proc/self/schedstat';
const scheduled = existsSync(SCHEDULED) ? openSync(SCHEDULED, 'r') : undefined;
const field = Buffer.alloc(64);

/** Milliseconds of processor time of the first thread; those of the whole process where the system does not say more. */
function threadMs(): number {
  if (scheduled !== undefined) {
    const [onProcessor] = field.toString('latin1', 0, readSync(scheduled, field, 0, field.length, 0)).split(' ');
    return Number(onProcessor) / 1e6;
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * The longest time in milliseconds for which some work kept all other work of the event loop waiting. On a machine that
 * does other work a turn takes longer than the processor worked for it, and other threads of this process collect
 * garbage meanwhile: the smaller of the time that passed and the processor time of this thread counts.
 */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, used, isOver] = [0, performance.now(), threadMs(), false];
  const turn = (): void => {
    const [now, worked] = [performance.now(), threadMs()];
    longest = Math.max(longest, Math.min(now - last, worked - used));
    [last, used] = [now, worked];
    if (!isOver) setImmediate(turn);
  };
  turn();
  try {
    await work();
  } finally {
    isOver = true;
    turn();
  }
  return longest;
}
