/** A text outside the accepted subset of HOCON. The message never quotes the text, which may contain secrets. */
export class HoconError extends Error {
  /** Counted from 1; undefined for the whole text. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(line === undefined ? message : `line ${line}: ${message}`);
    this.name = 'HoconError';
    this.line = line;
  }
}
