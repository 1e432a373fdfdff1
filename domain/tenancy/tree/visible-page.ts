import type { Order, PageQuery, RecordKey, Stored } from '../../../ports/store.ts';
import type { Hidden } from '../access/permissions.ts';

type RowPosition = Pick<Stored<unknown>, 'id' | 'createdAt' | 'updatedAt'>;

/** How the rows of a list are read: whole records, or ids only. */
interface Reading<R> {
  read(query: PageQuery): Promise<R[]>;
  placeOf(row: R): RowPosition;
}

/**
 * A page of a list as if the hidden records were not in it: `offset` and `limit` count only what is visible, so pages
 * are full and put together they are the visible list.
 *
 * Stores need no support for it. Of k hidden records that exist, at most k precede any row, so the visible row number
 * `offset` is among the rows from `offset` on, at most k further: one page of `limit + k` rows from `offset` contains
 * the whole answer. How many of them belong to earlier pages is the number of hidden records that sort before
 * the first of these rows.
 */
export async function visiblePage<T extends RowPosition, R>(
  { collection, rows }: { collection: { get(key: Required<RecordKey>): Promise<T | undefined> }; rows: Reading<R> },
  query: PageQuery,
  hidden: Hidden,
): Promise<R[]> {
  if (hidden === 'all') return [];
  if (hidden.size === 0) return rows.read(query);
  const { parent, order, limit } = query;
  const found = await Promise.all([...hidden].map((id) => collection.get({ parent, id })));
  const absent = found.flatMap((record) => record ?? []);
  const window = await rows.read({ ...query, limit: limit + absent.length });
  const first = window[0];
  if (first === undefined) return [];
  const before = absent.filter((record) => precedes(record, rows.placeOf(first), order)).length;
  return window.filter((row) => !hidden.has(rows.placeOf(row).id)).slice(before, before + limit);
}

const PRECEDES: Record<Order, (a: RowPosition, b: RowPosition) => boolean> = {
  id: (a, b) => a.id < b.id,
  'id-': (a, b) => a.id > b.id,
  'created+': (a, b) => a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id),
  'created-': (a, b) => PRECEDES['created+'](b, a),
  'updated+': (a, b) => a.updatedAt < b.updatedAt || (a.updatedAt === b.updatedAt && a.id < b.id),
  'updated-': (a, b) => PRECEDES['updated+'](b, a),
};

const precedes = (a: RowPosition, b: RowPosition, order: Order): boolean => PRECEDES[order](a, b);

/** A page of rows that are all at hand. */
export const pageOfAll = <R extends RowPosition>(rows: readonly R[], { order, offset, limit }: PageQuery): R[] =>
  rows.toSorted((a, b) => (precedes(a, b, order) ? -1 : 1)).slice(offset, offset + limit);
