import type { Collection, Stored } from '../../ports/store.ts';

/** Which records of a listed collection are read, and in which order. */
export interface Seek<T> {
  collection: Collection<T>;
  parent: string;
  order: 'created+' | 'created-';
  /** The time of the last record before the first wanted one, in milliseconds since the epoch; absent for the first of all. */
  after?: number;
  /** How many records are read at a time. */
  size: number;
}

/**
 * Yields the records of one parent that follow a time in the order of their creation, which is unique for each parent.
 * Others may add and remove records meanwhile: a record that exists all the time is yielded exactly once.
 */
export async function* recordsAfter<T>(seek: Seek<T>): AsyncGenerator<Stored<T>> {
  const { collection, parent, order, size } = seek;
  let last = seek.after;
  let position = last === undefined ? 0 : await firstBeyond(seek, last);
  for (;;) {
    // The record before the position shows whether removals moved the others to the front meanwhile.
    const offset = Math.max(0, position - 1);
    const page = await collection.list({ parent, order, offset, limit: size + 1 });
    if (offset > 0 && (page[0] === undefined || isBeyond(page[0], order, last))) {
      position = Math.max(0, position - size);
      continue;
    }
    for (const record of page) {
      if (!isBeyond(record, order, last)) continue;
      last = record.createdAt;
      yield record;
    }
    if (page.length <= size) return;
    position = offset + page.length;
  }
}

/** The position of the first record beyond a time, by a search in steps that double and then halve. */
async function firstBeyond<T>({ collection, parent, order }: Seek<T>, time: number): Promise<number> {
  const isAtOrBefore = async (offset: number): Promise<boolean> => {
    const [record] = await collection.list({ parent, order, offset, limit: 1 });
    return record !== undefined && !isBeyond(record, order, time);
  };
  let before = -1;
  let beyond = 0;
  while (await isAtOrBefore(beyond)) [before, beyond] = [beyond, 2 * beyond + 1];
  while (beyond - before > 1) {
    const middle = Math.floor((before + beyond) / 2);
    if (await isAtOrBefore(middle)) before = middle;
    else beyond = middle;
  }
  return beyond;
}

const isBeyond = (
  { createdAt }: Pick<Stored<unknown>, 'createdAt'>,
  order: Seek<unknown>['order'],
  time: number | undefined,
): boolean => time === undefined || (order === 'created+' ? createdAt > time : createdAt < time);
