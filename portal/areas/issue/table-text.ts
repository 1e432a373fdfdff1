import { dsvFormat } from 'd3-dsv';

/** The most rows of a table, its head apart: as many as one body of offers may have lines. */
const MOST_ROWS = 10_000;

/** The most bytes of a file. */
const MOST_BYTES = 4 * 1024 * 1024;

export interface TableText {
  heads: string[];
  rows: string[][];
}

/** Why a text is no table that can be used. */
export type TableFault = 'empty' | 'large' | 'many';

/** The text of a file, which some programs for spreadsheets do not write in UTF-8. */
async function textOf(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The separator that the head has most of. */
const separatorOf = (text: string): string => {
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const [most = ','] = [',', ';', '\t'].toSorted((one, other) => head.split(other).length - head.split(one).length);
  return most;
};

/** Reads a table with a head, separated by commas, semicolons or tabs (RFC 4180). */
export async function readTable(file: Blob): Promise<TableText | TableFault> {
  if (file.size > MOST_BYTES) return 'large';
  const text = await textOf(file);
  const all = dsvFormat(separatorOf(text)).parseRows(text);
  const [heads, ...rows] = all.filter((cells) => cells.some((cell) => cell.trim() !== ''));
  if (!heads || rows.length === 0) return 'empty';
  return rows.length > MOST_ROWS ? 'many' : { heads, rows };
}
