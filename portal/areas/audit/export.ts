import type { Schemas } from '../../../client/client.ts';
import { csvLine } from '../../parts/csv.ts';
import { linesOf } from '../../shell/lines.ts';

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
export async function csvOf(stream: ReadableStream<Uint8Array>, read: (count: number) => void): Promise<Blob> {
  const parts: Blob[] = [];
  let count = 0;
  for await (const lines of linesOf(stream)) {
    parts.push(new Blob(lines.map((line) => lineOf(JSON.parse(line) as Event))));
    count += lines.length;
    read(count);
  }
  return new Blob([csvLine(COLUMNS), ...parts], { type: 'text/csv' });
}
