import type { Order } from '../../ports/store.ts';
import { type ErrorDetail, fieldErrors } from '../foundation/errors.ts';

/** How large pages are (pagination.conf). */
export interface PageLimits {
  defaultLimit: number;
  maxLimit: number;
}

/** One page of a list, in the requested order. */
export interface Page {
  order: Order;
  offset: number;
  limit: number;
}

/** The values of `sort` (interface: Pagination); a name without sign means newest first. */
const SORTS: Readonly<Record<string, Order>> = {
  createdDateTime: 'created-',
  'createdDateTime-': 'created-',
  'createdDateTime+': 'created+',
  updatedDateTime: 'updated-',
  'updatedDateTime-': 'updated-',
  'updatedDateTime+': 'updated+',
};
/** The order without `sort`: by id, bytewise. */
const UNSORTED: Order = 'id';
const INTEGER = /^(0|[1-9][0-9]{0,15})$/;

type Reading<T> = { value: T } | { message: string };

/** The parameters of a list, as texts. */
export type PageQuery = Readonly<Partial<Record<'limit' | 'offset' | 'sort', string>>>;

/**
 * Reads `limit`, `offset` and `sort` (decisions §10).
 * @throws DomainError `BadRequest` that names every parameter that is wrong
 */
export function readPage(query: PageQuery, { sortable, ...limits }: PageLimits & { sortable: boolean }): Page {
  const details: ErrorDetail[] = [];
  const take = <T>(name: string, reading: Reading<T>, fallback: T): T => {
    if ('value' in reading) return reading.value;
    details.push({ path: [name], message: reading.message });
    return fallback;
  };
  const page: Page = {
    limit: take('limit', readLimit(query.limit, limits), 0),
    offset: take('offset', readOffset(query.offset), 0),
    order: take('sort', readSort(query.sort, sortable), UNSORTED),
  };
  if (details.length === 0) return page;
  throw fieldErrors(details);
}

function readLimit(text: string | undefined, { defaultLimit, maxLimit }: PageLimits): Reading<number> {
  if (text === undefined) return { value: defaultLimit };
  const value = readInteger(text);
  const fits = value !== undefined && value > 0 && value <= maxLimit;
  return fits ? { value } : { message: `must be a whole number from 1 to ${maxLimit}, written in digits` };
}

function readOffset(text: string | undefined): Reading<number> {
  if (text === undefined) return { value: 0 };
  const value = readInteger(text);
  return value === undefined ? { message: 'must be a whole number from 0, written in digits' } : { value };
}

function readInteger(text: string): number | undefined {
  const value = INTEGER.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

function readSort(text: string | undefined, sortable: boolean): Reading<Order> {
  if (text === undefined) return { value: UNSORTED };
  if (!sortable) return { message: 'this list cannot be sorted' };
  const order = Object.hasOwn(SORTS, text) ? SORTS[text] : undefined;
  if (order) return { value: order };
  // A plus that is not encoded arrives as a space.
  if (Object.hasOwn(SORTS, text.replace(/ $/, '+')))
    return { message: 'write the + as %2B: unencoded it means a space' };
  return { message: `must be one of ${Object.keys(SORTS).join(', ')} (with + written as %2B)` };
}
