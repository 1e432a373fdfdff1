import { type Column, type Row, readRow } from '../../forms/rows.ts';

/** A row of the table that is good or not. */
export interface CheckedRow extends Row {
  /** As spreadsheets count: the head is row 1. */
  number: number;
  reference?: string;
  recipient?: string;
}

export interface Checked {
  good: CheckedRow[];
  bad: CheckedRow[];
}

/** How many rows are checked before other work has its turn. */
const AT_ONCE = 250;

/** The longest texts that the office notes (as the operations take them). */
const LONGEST = { reference: 128, recipient: 320 } as const;

interface Rows {
  rows: readonly string[][];
  columns: readonly Column[];
  places: Readonly<Record<string, number | undefined>>;
  /** Where the notes of the office stand. */
  notes: Readonly<Record<keyof typeof LONGEST, number | undefined>>;
}

/** Checks every row, before anything is made of one; undefined when `signal` ended it. */
export async function checkRows(all: Rows, signal: AbortSignal): Promise<Checked | undefined> {
  const checked: Checked = { good: [], bad: [] };
  for (const [at, cells] of all.rows.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return undefined;
    const row = { ...readRow(cells, all.columns, all.places), ...notesIn(cells, all.notes), number: at + 2 };
    for (const name of ['reference', 'recipient'] as const)
      if ((row[name]?.length ?? 0) > LONGEST[name]) row.faults.push({ column: ` ${name}`, fault: 'text' });
    (row.faults.length > 0 ? checked.bad : checked.good).push(row);
  }
  return checked;
}

const notesIn = (cells: readonly string[], notes: Rows['notes']) =>
  Object.fromEntries(
    Object.entries(notes).flatMap(([name, place]) => {
      const text = cells[place ?? -1]?.trim() ?? '';
      return text === '' ? [] : [[name, text]];
    }),
  ) as Pick<CheckedRow, keyof typeof LONGEST>;
