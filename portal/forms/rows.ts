import type { DescribedClaim, FieldKind } from './fields.ts';
import { type Path, withValue } from './pointers.ts';

/** What a column of a table can fill in: a claim whose value fits into a cell. */
export interface Column {
  /** The path as text. */
  id: string;
  path: string[];
  kind: FieldKind;
  /** What a list consists of; its elements stand in one cell. */
  items?: FieldKind;
  /** The names of objects around it that a card may lack. */
  optionalAround: string[];
  isMandatory: boolean;
}

/** What is wrong with a cell: it is empty, or no value of this kind. */
type Fault = 'missing' | FieldKind;

/** What separates the elements of a list in a cell. */
const SEPARATOR = '|';

const idOf = (path: DescribedClaim['path']): string => path.join('.');

const isLeaf = (kind: FieldKind | undefined): boolean => kind !== 'object' && kind !== 'list' && kind !== 'json';

/** The claims that columns can fill in: not those inside the elements of lists. */
export const columnsOf = (claims: readonly DescribedClaim[]): Column[] =>
  claims
    .filter(({ path, type, items }) => !path.includes(null) && (type === 'list' ? isLeaf(items) : isLeaf(type)))
    .map(({ path, type, items, mandatory = false }) => ({
      id: idOf(path),
      path: path.map(String),
      kind: type,
      items,
      optionalAround: claims.flatMap((one) =>
        !one.mandatory && one.path.length < path.length && one.path.every((part, at) => path[at] === part)
          ? [`${idOf(one.path)}.`]
          : [],
      ),
      isMandatory: mandatory,
    }));

/** The claims that every card has and no column can fill in. */
export const unreachable = (claims: readonly DescribedClaim[]): DescribedClaim[] =>
  claims.filter(
    ({ type, items, mandatory, path }) => mandatory && !path.includes(null) && type === 'list' && !isLeaf(items),
  );

const simple = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** The column of a table for each of these names, as its head says it; each column once. */
export function placesOf(
  heads: readonly string[],
  names: Readonly<Record<string, readonly string[]>>,
): Record<string, number> {
  const places: Record<string, number> = {};
  const taken = new Set<number>();
  for (const [id, called] of Object.entries(names)) {
    const wanted = new Set(called.map(simple));
    const place = heads.findIndex((head, at) => !taken.has(at) && wanted.has(simple(head)));
    if (place < 0) continue;
    taken.add(place);
    places[id] = place;
  }
  return places;
}

const YES = new Set(['true', 'yes', 'y', '1', 'x', 'ja', 'j', 'wahr']);
const NO = new Set(['false', 'no', 'n', '0', 'nein', 'falsch']);

/** Reads a value of a kind; undefined when the text is none. */
const READERS: Readonly<Partial<Record<FieldKind, (text: string) => unknown>>> = {
  text: (text) => text,
  date: dateIn,
  number: (text) => {
    const number = Number(text.replace(',', '.'));
    return Number.isFinite(number) ? number : undefined;
  },
  boolean: (text) => {
    const word = text.toLowerCase();
    return YES.has(word) ? true : NO.has(word) ? false : undefined;
  },
  picture: (text) => (/^data:image\/(?:png|jpeg|gif|webp);base64,/.test(text) ? text : undefined),
};

/** A day, written 1990-12-31 or 31.12.1990. */
function dateIn(text: string): string | undefined {
  const { year, month, day } =
    /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/.exec(text)?.groups ??
    /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/.exec(text)?.groups ??
    {};
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${date}T00:00:00Z`);
  // The 31st of February would be a day in March.
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date ? undefined : date;
}

/** The value of a cell that is not empty; undefined when it is none of this kind. */
function valueIn({ kind, items }: Column, text: string): unknown {
  const read = READERS[kind === 'list' && items !== undefined ? items : kind];
  if (kind !== 'list') return read?.(text);
  const elements = text.split(SEPARATOR).map((one) => read?.(one.trim()));
  return elements.includes(undefined) ? undefined : elements;
}

/** A row as it was read: the data of a card, and what is wrong with it by the ids of columns. */
export interface Row {
  data: Record<string, unknown>;
  faults: { column: string; fault: Fault }[];
}

/** Reads the cells of a row; `places` says which cell is of which column. */
export function readRow(
  cells: readonly string[],
  columns: readonly Column[],
  places: Readonly<Record<string, number | undefined>>,
): Row {
  const textOf = ({ id }: Column): string => cells[places[id] ?? -1]?.trim() ?? '';
  const filled = columns.filter((column) => textOf(column) !== '');
  const isNeeded = ({ isMandatory, optionalAround }: Column): boolean =>
    isMandatory && optionalAround.every((around) => filled.some(({ id }) => id.startsWith(around)));
  const row: Row = { data: {}, faults: [] };
  for (const column of columns) {
    const text = textOf(column);
    const value = text === '' ? undefined : valueIn(column, text);
    if (text === '' && isNeeded(column)) row.faults.push({ column: column.id, fault: 'missing' });
    if (text !== '' && value === undefined)
      row.faults.push({ column: column.id, fault: column.kind === 'list' ? (column.items ?? 'text') : column.kind });
    if (value !== undefined) row.data = withValue(row.data, column.path as Path, value) as Row['data'];
  }
  return row;
}
