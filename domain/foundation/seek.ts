import type { Collection, Stored } from '../../ports/store.ts';

/** Which records of a listed collection are read, and in which order. */
interface Seek<T> {
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
export async function* recordsAfter<T>({ collection, parent, order, after, size }: Seek<T>): AsyncGenerator<Stored<T>> {
  let afterTime = after;
  for (let isFull = true; isFull; ) {
    const page = await collection.list({ parent, order, offset: 0, limit: size, afterTime });
    yield* page;
    afterTime = page.at(-1)?.createdAt;
    isFull = page.length >= size;
  }
}
