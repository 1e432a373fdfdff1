import { isDomainError } from '../foundation/errors.ts';

/** Lets `ms` milliseconds pass because of `reason`. */
export type Pause = (ms: number, reason: unknown) => Promise<void>;

/** How long is waited before each further try, in milliseconds: 16 seconds in all. */
const PAUSES_MS = [250, 500, 1000, 2000, 4000, 8000];

/** Does work that may be done twice, again after each `StoreUnavailable` while there is patience. @throws what the last try did */
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
