import type { Schemas } from '../../../client/client.ts';
import { csvLine } from '../../parts/csv.ts';

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

const lineOf = (event: Event): string => csvLine(COLUMNS.map((name) => event[name]));

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
  return new Blob([csvLine(COLUMNS), ...parts], { type: 'text/csv' });
}
