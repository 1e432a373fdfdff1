import { base64url, fromBase64url, fromUtf8 } from '../foundation/bytes.ts';
import { type ErrorDetail, fieldErrors, isDomainError } from '../foundation/errors.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { isoMillis, parseIso } from '../foundation/time.ts';
import type { Activity } from './activity.ts';

/** An activity as it is listed. */
export type LoggedActivity = Activity & {
  id: string;
  originator: string;
  /** Milliseconds since the epoch; later for each activity of a wallet. */
  at: number;
};

/** The parameters of a list of activities, as texts. */
export interface ActivityQueryTexts {
  /** Each `key=value`. Values of one key are alternatives; each key has to match. */
  filter?: string[];
  startingAfter?: string;
  sortBy?: string;
  sortOrder?: string;
}

/** Which activities are listed, in which order, from where. */
export interface ActivityQuery {
  matches(activity: LoggedActivity): boolean;
  /** Whether `matches` can be false. */
  isFiltered: boolean;
  sortBy: SortKey;
  isDescending: boolean;
  /** The last item before the list. */
  after?: Position;
  /** How many items are left out at the start. */
  skip: number;
}

/** The position of an activity in its order: the value it is sorted by, '' in orders by time; then its time. */
export interface Position {
  value: string;
  at: number;
}

const VALUES = {
  event: ({ event }: LoggedActivity) => event,
  action: ({ action }: LoggedActivity) => action,
  originator: ({ originator }: LoggedActivity) => originator,
  credentialId: ({ credentialId = '' }: LoggedActivity) => credentialId,
  // There are no tenants in the wallet service.
  tenant: () => '',
};
const TIMES = ['timestamp', 'addedOn', 'createdOn'] as const;
type SortKey = keyof typeof VALUES | (typeof TIMES)[number];

const KEYS: readonly SortKey[] = [...TIMES, ...(Object.keys(VALUES) as (keyof typeof VALUES)[])];
const keyOf = (name: string): SortKey | undefined => KEYS.find((key) => key.toLowerCase() === name.toLowerCase());

const isTime = (key: SortKey): key is (typeof TIMES)[number] => !Object.hasOwn(VALUES, key);

/** Whether the order is by time alone. */
export const isByTime = ({ sortBy }: Pick<ActivityQuery, 'sortBy'>): boolean => isTime(sortBy);

/** The position of an activity in the order of a query. */
export const positionOf = (activity: LoggedActivity, { sortBy }: Pick<ActivityQuery, 'sortBy'>): Position => ({
  value: isTime(sortBy) ? '' : VALUES[sortBy](activity),
  at: activity.at,
});

/** Compares two positions in the direction of a query; one direction is the exact reverse of the other. */
export function comparePositions(left: Position, right: Position, { isDescending }: { isDescending: boolean }): number {
  const byValue = left.value < right.value ? -1 : left.value > right.value ? 1 : 0;
  return (byValue || left.at - right.at) * (isDescending ? -1 : 1);
}

/** Reads the parameters of a list. @throws DomainError `BadRequest` that names each wrong one */
export function readActivityQuery(texts: ActivityQueryTexts): ActivityQuery {
  const details: ErrorDetail[] = [];
  const refuse = (path: ErrorDetail['path'], message: string): undefined => void details.push({ path, message });
  const sortBy = keyOf(texts.sortBy ?? 'timestamp') ?? refuse(['sortBy'], `must be one of ${KEYS.join(', ')}`);
  const order = /^(asc|desc)$/i.exec(texts.sortOrder ?? 'asc')?.[0].toLowerCase();
  if (order === undefined) refuse(['sortOrder'], 'must be asc or desc');
  const query = { sortBy: sortBy ?? 'timestamp', isDescending: order === 'desc' };
  const filters = (texts.filter ?? []).map((text, index) => readFilter(text) ?? refuse(['filter', index], FILTER_FORM));
  const start = readStart(texts.startingAfter, query) ?? refuse(['startingAfter'], START_FORM);
  if (!start || details.length > 0) throw fieldErrors(details);
  const matches = matcher(filters.filter((filter) => filter !== undefined));
  return { ...query, ...start, matches, isFiltered: filters.length > 0 };
}

interface Filter {
  key: SortKey;
  value: string;
}

const FILTER_FORM = `must be key=value, where key is one of ${KEYS.join(', ')} and the value of a time is a date such as 2026-11-22`;
const START_FORM = 'must be the nextStartingAfter of a list with the same order, or the index of an item';

function readFilter(text: string): Filter | undefined {
  const end = text.indexOf('=');
  const key = end < 0 ? undefined : keyOf(text.slice(0, end));
  const value = text.slice(end + 1);
  return key && (!isTime(key) || isDate(value)) ? { key, value } : undefined;
}

function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseIso(text) : undefined;
  return time !== undefined && isoMillis(time).startsWith(text);
}

/** Values of one key are alternatives; the three names of the time are one key. */
function matcher(filters: Filter[]): ActivityQuery['matches'] {
  const wanted = new Map<string, Set<string>>();
  for (const { key, value } of filters) {
    const name = isTime(key) ? 'timestamp' : key;
    wanted.set(name, (wanted.get(name) ?? new Set()).add(value));
  }
  return (activity) => [...wanted].every(([key, values]) => values.has(filteredValue(activity, key as SortKey)));
}

const filteredValue = (activity: LoggedActivity, key: SortKey): string =>
  isTime(key) ? isoMillis(activity.at).slice(0, 10) : VALUES[key](activity);

type Start = Pick<ActivityQuery, 'after' | 'skip'>;
type Order = Pick<ActivityQuery, 'sortBy' | 'isDescending'>;

/** A cursor, or the zero-based index of the last item that was seen: -1 for none. */
function readStart(text: string | undefined, order: Order): Start | undefined {
  if (text === undefined) return { skip: 0 };
  if (/^(-[1-9]\d{0,8}|0|[1-9]\d{0,8})$/.test(text)) return { skip: Math.max(0, Number(text) + 1) };
  const after = readCursor(text, order);
  return after && { skip: 0, after };
}

/** The cursor after an activity: its position, with the order that it belongs to. */
export function cursorAfter(activity: LoggedActivity, order: Order): string {
  const { value, at } = positionOf(activity, order);
  return base64url(JSON.stringify([orderName(order), value, at]));
}

const orderName = ({ sortBy, isDescending }: Order): string =>
  `${isDescending ? '-' : ''}${isTime(sortBy) ? 'timestamp' : sortBy}`;

function readCursor(text: string, order: Order): Position | undefined {
  const parts = parsedCursor(text);
  if (!Array.isArray(parts) || parts.length !== 3) return undefined;
  const [name, value, at] = parts;
  const isValid = name === orderName(order) && typeof value === 'string' && Number.isSafeInteger(at);
  return isValid ? { value, at } : undefined;
}

function parsedCursor(text: string): unknown {
  const bytes = fromBase64url(text);
  try {
    return bytes && parseJson(fromUtf8(bytes));
  } catch (error) {
    if (isDomainError(error)) return undefined;
    throw error;
  }
}
