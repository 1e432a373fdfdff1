import type { CsvTables } from '../../../ports/codecs/csv-tables.ts';
import type { Turns } from '../../../ports/system.ts';
import { digest } from '../../foundation/bytes.ts';
import { mapInTurns } from '../../foundation/concurrency.ts';
import { invalidField, replacing } from '../../foundation/errors.ts';

const MAX_ROWS = 20_000;
const MAX_COLUMNS = 100;
const MAX_NAME = 128;
/** The characters of the rows of one record of the store, on average. */
const BUCKET_CHARACTERS = 32_768;

/** A table as it is imported. */
export interface TableImport {
  /** CSV with the names of the columns in its first line. */
  csv: string;
  /** The column by which a row is found; the first one when absent. */
  keyColumn?: string;
}

/** A row by its key. */
export type KeyedRow = [key: string, cells: string[]];

/** A table that was read, its rows in as many parts as its size asks for: a key decides in which part its row is. */
export interface ReadTable {
  columns: string[];
  keyColumn: string;
  rows: number;
  buckets: KeyedRow[][];
}

/** What a table is read with. */
export interface TableReading {
  csv: CsvTables;
  turns: Turns;
}

/** Reads a table with one row for each key. @throws DomainError `BadRequest` naming the line or the column, and no value */
export async function readTable(
  { csv, keyColumn: named }: TableImport,
  { csv: tables, turns }: TableReading,
): Promise<ReadTable> {
  const [header, ...lines] = await tables.lines(csv).catch(asField);
  const columns = header?.cells ?? [];
  checkColumns(columns);
  const keyColumn = named ?? columns[0] ?? '';
  const at = columns.indexOf(keyColumn);
  if (at < 0) throw invalidField(['key'], 'is not the name of a column');
  if (lines.length > MAX_ROWS) throw invalidField(['csv'], `has more than ${MAX_ROWS} rows`);
  const count = Math.max(1, Math.ceil(csv.length / BUCKET_CHARACTERS));
  const buckets: KeyedRow[][] = Array.from({ length: count }, () => []);
  const lineOf = new Map<string, number>();
  await mapInTurns(turns, lines, ({ cells, line }) => {
    const key = cells[at] ?? '';
    if (key === '') throw invalidField(['csv'], `line ${line} has no key`);
    const earlier = lineOf.get(key);
    if (earlier !== undefined) throw invalidField(['csv'], `line ${line} has the key of line ${earlier}`);
    lineOf.set(key, line);
    buckets[bucketOf(key, count)]?.push([key, cells]);
  });
  return { columns, keyColumn, rows: lines.length, buckets };
}

function checkColumns(columns: readonly string[]): void {
  if (columns.length === 0) throw invalidField(['csv'], 'must have the names of the columns in its first line');
  if (columns.length > MAX_COLUMNS) throw invalidField(['csv'], `has more than ${MAX_COLUMNS} columns`);
  for (const [index, name] of columns.entries()) {
    if (name === '' || name.length > MAX_NAME)
      throw invalidField(['csv'], `column ${index + 1} must have a name of at most ${MAX_NAME} characters`);
    if (columns.indexOf(name) < index) throw invalidField(['csv'], `column ${index + 1} has the name of another one`);
  }
}

/** In which of so many parts the row of a key is. */
export function bucketOf(key: string, count: number): number {
  const [a = 0, b = 0, c = 0] = digest('sha256', key);
  return ((a << 16) | (b << 8) | c) % count;
}

const asField = replacing('BadRequest', ({ message }) => invalidField(['csv'], message));
