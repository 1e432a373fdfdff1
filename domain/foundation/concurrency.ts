import type { Turns } from '../../ports/system.ts';

/**
 * Maps items as they come, at most `limit` of them at once; the results are in the order of the items, each as soon as it
 * is there. `map` must not fail.
 */
export async function* mapArriving<T, U>(
  items: AsyncIterable<T>,
  limit: number,
  map: (item: T) => Promise<U>,
): AsyncGenerator<U> {
  const arriving = items[Symbol.asyncIterator]();
  const running: Promise<U>[] = [];
  let next: Promise<IteratorResult<T>> | undefined = arriving.next();
  while (next || running.length > 0) {
    const arrived = next && running.length < limit ? await firstOf(next, running[0]) : undefined;
    if (!arrived) yield (await running.shift()) as U;
    else if (arrived.done) next = undefined;
    else {
      running.push(map(arrived.value));
      next = arriving.next();
    }
  }
}

/** What arrives next; undefined when the result of an earlier item is there before. */
const firstOf = <T>(next: Promise<T>, result: Promise<unknown> | undefined): Promise<T | undefined> =>
  result ? Promise.race([next, result.then(() => undefined)]) : next;

/** Work that is done once for all who ask for it while it is under way. */
export function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** How many items are mapped in one turn of the event loop. */
const MAPPED_AT_ONCE = 100;

/** Maps items in their order; other work has its turn after every 100 of them. */
export async function mapInTurns<T, U>(
  turns: Turns,
  items: readonly T[],
  map: (item: T) => Promise<U> | U,
): Promise<U[]> {
  const results: U[] = [];
  for (let from = 0; from < items.length; from += MAPPED_AT_ONCE) {
    if (from > 0) await new Promise<void>((begun) => turns.next(begun));
    results.push(...(await Promise.all(items.slice(from, from + MAPPED_AT_ONCE).map(map))));
  }
  return results;
}

/**
 * Maps items in their order, at most `limit` of them at once. After a failure no further item is started; of several
 * failures the one of the first item is thrown.
 */
export async function mapBounded<T, U>(
  items: readonly T[],
  limit: number,
  map: (item: T, index: number) => Promise<U>,
): Promise<U[]> {
  const results: U[] = [];
  const failures: { index: number; error: unknown }[] = [];
  const entries = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of entries) {
      if (failures.length > 0) return;
      try {
        results[index] = await map(item, index);
      } catch (error) {
        failures.push({ index, error });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  const [first] = failures.sort((a, b) => a.index - b.index);
  if (first) throw first.error;
  return results;
}
