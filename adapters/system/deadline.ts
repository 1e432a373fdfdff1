/**
 * Calls `expired` with an error after so many milliseconds unless the returned function is called before. Where this
 * process itself stood still, answers that have arrived meanwhile are read first.
 */
export function startDeadline(ms: number, expired: (error: Error) => void): () => void {
  const timer = setTimeout(() => setImmediate(() => expired(new Error(`No answer within ${ms} ms`))), ms);
  return () => clearTimeout(timer);
}

/** The outcome of a promise within so many milliseconds. @throws what `late` returns, or else an Error, when it takes longer */
export const inTime = <T>(promise: Promise<T>, ms: number, late?: () => Error): Promise<T> =>
  new Promise((resolve, reject) => {
    const cancel = startDeadline(ms, (error) => reject(late?.() ?? error));
    promise.then(resolve, reject).finally(cancel);
  });
