import { isDomainError } from '../foundation/errors.ts';

/** Waits for `ms` milliseconds because of `reason`. */
export type Pause = (ms: number, reason: unknown) => Promise<void>;

/** The pause before each further attempt, in milliseconds: 16 seconds in all. */
const PAUSES_MS = [250, 500, 1000, 2000, 4000, 8000];

/** Repeats idempotent work after each `StoreUnavailable`, as long as pauses are left. @throws the error of the last attempt */
export async function retried<R>(work: () => Promise<R>, pause: Pause): Promise<R> {
  for (const ms of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isDomainError(error, 'StoreUnavailable')) throw error;
      await pause(ms, error);
    }
  }
  return work();
}
