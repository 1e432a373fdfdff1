/**
 * Milliseconds of processor time that this process spends on some work: a bound of it holds however busy the machine is.
 */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
