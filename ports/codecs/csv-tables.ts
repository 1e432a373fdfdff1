/** Reads tables of text. */
export interface CsvTables {
  /**
   * The cells of each line of CSV (RFC 4180), all with as many as the first, with the number of the line that each ends in.
   * Other work has its turn in between. @throws DomainError `BadRequest` naming the line, and nothing of it
   */
  lines(text: string): Promise<CsvLine[]>;
}

/** One line of a table. */
export interface CsvLine {
  cells: string[];
  line: number;
}
