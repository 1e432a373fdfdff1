import type { Schemas } from '../../../client/client.ts';

type Event = Schemas['AuditEvent'];

const COLUMNS = [
  'sequence',
  'time',
  'outcome',
  'status',
  'action',
  'target',
  'resource',
  'account',
  'source',
  'requestId',
] as const satisfies (keyof Event)[];

/** A value in a line of CSV (RFC 4180); what a spreadsheet would take for a formula is marked as text. */
function cell(value: unknown): string {
  const text = value === undefined ? '' : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const lineOf = (event: Event): string => `${COLUMNS.map((name) => cell(event[name])).join(',')}\r\n`;

/** Events, a JSON object a line, as CSV: as they arrive, so that only what was read is kept. */
export async function csvOf(lines: ReadableStream<Uint8Array>, read: (count: number) => void): Promise<Blob> {
  const parts: Blob[] = [];
  let rest = '';
  let count = 0;
  const add = (texts: readonly string[]): void => {
    const rows = texts.filter((text) => text !== '').map((text) => lineOf(JSON.parse(text) as Event));
    if (rows.length === 0) return;
    parts.push(new Blob(rows));
    count += rows.length;
    read(count);
  };
  const reader = lines.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const texts = (rest + next.value).split('\n');
    rest = texts.pop() ?? '';
    add(texts);
  }
  add([rest]);
  return new Blob([`${COLUMNS.join(',')}\r\n`, ...parts], { type: 'text/csv' });
}

/** Hands a file to the browser. */
export function save(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href, download: name });
  link.click();
  URL.revokeObjectURL(href);
}
