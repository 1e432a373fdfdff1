import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { CsvError, type Info, parse } from 'csv-parse';
import { badRequest } from '../../domain/foundation/errors.ts';
import type { CsvLine, CsvTables } from '../../ports/codecs/csv-tables.ts';

/** The most characters of one line. */
const MAX_LINE = 65_536;
/** The bytes that are read in one turn of the event loop: some 20 ms. */
const PIECE = 65_536;

const WHY: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'must have as many cells as the first line',
  CSV_MAX_RECORD_SIZE: `has more than ${MAX_LINE} characters`,
  CSV_QUOTE_NOT_CLOSED: 'has a quotation mark that is not closed',
};

const OPTIONS = { bom: true, info: true, skip_empty_lines: true, max_record_size: MAX_LINE } as const;

/** CSV with commas (RFC 4180), read strictly. */
export const strictCsv: CsvTables = {
  async lines(text) {
    const lines: CsvLine[] = [];
    try {
      await pipeline(
        piecesOf(text),
        parse(OPTIONS),
        async (records: AsyncIterable<{ record: string[]; info: Info }>) => {
          for await (const { record, info } of records) lines.push({ cells: record, line: info.lines });
        },
      );
      return lines;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      throw badRequest(`line ${error.lines} ${WHY[error.code] ?? 'is not CSV (RFC 4180)'}`, error);
    }
  },
};

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield bytes.subarray(at, at + PIECE);
    await setImmediate();
  }
}
