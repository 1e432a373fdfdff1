import type { TestServer } from '../servers/server.ts';

/** Longer than anything with a deadline of a second takes, on any machine; what never ends takes longer. */
export const SLOW_MACHINE_MS = 30_000;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when the server is ready. @throws Error when it is not within a minute */
export const untilReady = (server: TestServer): Promise<void> =>
  until(async () => (await server.call('getReadiness')).status === 200);

/** Resolves when the condition holds. @throws Error when it does not within `ms` */
export async function until(holds: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not so within ${ms} ms: ${holds}`);
    await pause(25);
  }
}
