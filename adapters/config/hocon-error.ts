/** A text that is not the HOCON we accept. The message never quotes the text, which may hold secrets. */
export class HoconError extends Error {
  /** Counted from 1; undefined when the whole text is meant. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(line === undefined ? message : `line ${line}: ${message}`);
    this.name = 'HoconError';
    this.line = line;
  }
}
