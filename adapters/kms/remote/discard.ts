import { setTimeout as pause } from 'node:timers/promises';

/** Pauses before the attempts to delete a key whose creation ended without an answer, in milliseconds. */
const DISCARD_PAUSES_MS = [0, 200, 600];

/** Deletes a key that may exist, in up to three attempts. */
export async function discard(remove: () => Promise<void>): Promise<void> {
  for (const pauseMs of DISCARD_PAUSES_MS) {
    await pause(pauseMs);
    const isDone = await remove().then(
      () => true,
      () => false,
    );
    if (isDone) return;
  }
}
