import type { Order } from '../../ports/store.ts';
import { type ErrorDetail, fieldErrors } from '../foundation/errors.ts';

/** How large pages are (pagination.conf). */
export interface PageLimits {
  defaultLimit: number;
  maxLimit: number;
}

/** One page of a list, in the order that was asked for. */
export interface Page {
  order: Order;
  offset: number;
  limit: number;
}

/** The values of `sort` (interface: Pagination); the bare name means newest first. */
const SORTS: Readonly<Record<string, Order>> = {
  createdDateTime: 'created-',
  'createdDateTime-': 'created-',
  'createdDateTime+': 'created+',
  updatedDateTime: 'updated-',
  'updatedDateTime-': 'updated-',
  'updatedDateTime+': 'updated+',
};
/** Of a list nobody sorted: by id, bytewise, whatever happens to its elements. */
const UNSORTED: Order = 'id';
const INTEGER = /^(0|[1-9][0-9]{0,15})$/;

type Reading<T> = { value: T } | { message: string };
type Query = Readonly<Record<string, unknown>>;

/**
 * Reads `limit`, `offset` and `sort` from the query as it came, text by text (decisions §10).
 * @throws DomainError `BadRequest` that tells of every parameter that is wrong
 */
export function readPage(query: Query, { sortable, ...limits }: PageLimits & { sortable: boolean }): Page {
  const details: ErrorDetail[] = [];
  const take = <T>(name: string, reading: Reading<T>, fallback: T): T => {
    if ('value' in reading) return reading.value;
    details.push({ path: ['query', name], message: reading.message });
    return fallback;
  };
  const page: Page = {
    limit: take('limit', readLimit(query.limit, limits), 0),
    offset: take('offset', readOffset(query.offset), 0),
    order: take('sort', readSort(query.sort, sortable), UNSORTED),
  };
  for (const name of Object.keys(query))
    if (!['limit', 'offset', 'sort'].includes(name))
      take(name.slice(0, 100), { message: 'is not a known field' }, null);
  if (details.length === 0) return page;
  throw fieldErrors(details);
}

function readLimit(raw: unknown, { defaultLimit, maxLimit }: PageLimits): Reading<number> {
  if (raw === undefined) return { value: defaultLimit };
  const value = readInteger(raw);
  const fits = value !== undefined && value > 0 && value <= maxLimit;
  return fits ? { value } : { message: `must be a whole number from 1 to ${maxLimit}, written in digits` };
}

function readOffset(raw: unknown): Reading<number> {
  if (raw === undefined) return { value: 0 };
  const value = readInteger(raw);
  return value === undefined ? { message: 'must be a whole number from 0, written in digits' } : { value };
}

function readInteger(raw: unknown): number | undefined {
  if (typeof raw !== 'string' || !INTEGER.test(raw)) return undefined;
  const value = Number(raw);
  return Number.isSafeInteger(value) ? value : undefined;
}

function readSort(raw: unknown, sortable: boolean): Reading<Order> {
  if (raw === undefined) return { value: UNSORTED };
  if (!sortable) return { message: 'this list cannot be sorted' };
  const order = typeof raw === 'string' && Object.hasOwn(SORTS, raw) ? SORTS[raw] : undefined;
  if (order) return { value: order };
  // A plus that is not encoded arrives as a space.
  if (typeof raw === 'string' && Object.hasOwn(SORTS, raw.replace(/ $/, '+')))
    return { message: 'write the + as %2B: unencoded it means a space' };
  return { message: `must be one of ${Object.keys(SORTS).join(', ')} (with + written as %2B)` };
}
