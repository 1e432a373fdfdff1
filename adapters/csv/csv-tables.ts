import { CsvError, type Info, parse } from 'csv-parse/sync';
import { badRequest } from '../../domain/foundation/errors.ts';
import type { CsvLine, CsvTables } from '../../ports/codecs/csv-tables.ts';

/** The most characters of one line. */
const MAX_LINE = 65_536;

const WHY: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'must have as many cells as the first line',
  CSV_MAX_RECORD_SIZE: `has more than ${MAX_LINE} characters`,
  CSV_QUOTE_NOT_CLOSED: 'has a quotation mark that is not closed',
};

/** CSV with commas (RFC 4180), read strictly. */
export const strictCsv: CsvTables = {
  lines(text) {
    try {
      const options = { bom: true, info: true, skip_empty_lines: true, max_record_size: MAX_LINE } as const;
      const parsed: unknown = parse(text, options);
      return (parsed as { record: string[]; info: Info }[]).map(
        ({ record, info }): CsvLine => ({ cells: record, line: info.lines }),
      );
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      throw badRequest(`line ${error.lines} ${WHY[error.code] ?? 'is not CSV (RFC 4180)'}`, error);
    }
  },
};
