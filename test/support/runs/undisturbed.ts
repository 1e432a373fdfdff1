import { existsSync, readFileSync } from 'node:fs';

/** A machine may be so many times slower than the one that a time is stated for. */
const SLOWER = 4;

/** What Linux says of the time in which a process of the machine waited for a processor; the total is in microseconds. */
const PRESSURE = '/proc/pressure/cpu';

function waitedMs(): number {
  if (!existsSync(PRESSURE)) return 0;
  return Number(/^some .*total=(\d+)/.exec(readFileSync(PRESSURE, 'utf8'))?.[1] ?? 0) / 1000;
}

/**
 * How long some work took, in milliseconds of a machine that does nothing else and has the speed that times are stated
 * for: without the time in which a process waited for a processor. It can be compared with a bound on any machine.
 */
export async function undisturbedMs(work: () => Promise<unknown>): Promise<number> {
  const [began, waited] = [performance.now(), waitedMs()];
  await work();
  return Math.max(0, performance.now() - began - (waitedMs() - waited)) / SLOWER;
}
