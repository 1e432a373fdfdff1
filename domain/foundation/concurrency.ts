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
