import type { Collection } from '../../ports/store.ts';
import { wrapped } from './wrapped-collection.ts';

/** The same collection; each operation waits first for what `gate` returns, if anything, and fails with it. */
export const gated = <T>(inner: Collection<T>, gate: () => Promise<void> | undefined): Collection<T> =>
  wrapped(inner, (_operation, work) => {
    const waiting = gate();
    return waiting ? waiting.then(work) : work();
  });
