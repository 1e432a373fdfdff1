import { hash } from 'node:crypto';
import type { RecordKey } from '../../ports/store.ts';

/** Bytes of a parent or an id that are stored as they are: a tuple of an index has room for both, with a digest each. */
const MOST_BYTES = 1200;

/** A parent or an id as it is stored and, when it is longer than an index takes, as it is. */
interface Part {
  stored: Buffer;
  whole: Buffer | null;
}

/**
 * A text as bytes: their order is that of every store, regardless of the collation and the encoding of the database. Of a long
 * text only the beginning and a digest are in the key. It is longer than any text that is stored as it is.
 */
export function partOf(text: string): Part {
  const bytes = Buffer.from(text);
  if (bytes.length <= MOST_BYTES) return { stored: bytes, whole: null };
  return { stored: Buffer.concat([bytes.subarray(0, MOST_BYTES), hash('sha256', bytes, 'buffer')]), whole: bytes };
}

/** The parent and the id of a key, as values of a statement. */
export const keyValues = (collection: string, { parent = '', id }: RecordKey): [string, Buffer, Buffer] => [
  collection,
  partOf(parent).stored,
  partOf(id).stored,
];

/** The texts of a key that are too long for it, as values of a statement. */
export const wholeValues = ({ parent = '', id }: RecordKey): [Buffer | null, Buffer | null] => [
  partOf(parent).whole,
  partOf(id).whole,
];

/** The text of a part. */
export const textOf = (stored: Buffer, whole: Buffer | null): string => (whole ?? stored).toString();

/** Rows of values as one list for each column. */
export const columnsOf = (rows: unknown[][]): unknown[][] =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
