/**
 * Milliseconds of processor time that this process spends on some work: a bound of it holds however busy the machine is.
 */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The longest time in milliseconds for which some work kept all other work of the event loop waiting. On a machine that
 * does other work a turn takes longer than the processor worked for it: the smaller of both times is the bound.
 */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, used, isOver] = [0, performance.now(), process.cpuUsage(), false];
  const turn = (): void => {
    const [now, { user, system }] = [performance.now(), process.cpuUsage(used)];
    longest = Math.max(longest, Math.min(now - last, (user + system) / 1000));
    [last, used] = [now, process.cpuUsage()];
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
