/** One problem for the operator to correct. No message contains a configured value. */
export interface ConfigurationProblem {
  /** The file's name, or `environment`. */
  file: string;
  /** Where in it: `x5c.replay`, `certificates[0]`, a variable's name; '' for the file as a whole. */
  field: string;
  message: string;
}

/** All problems of the configuration, of all files. */
export class ConfigurationError extends Error {
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    const lines = problems.map(({ file, field, message }) => `${file}: ${field === '' ? '' : `${field}: `}${message}`);
    super(['The configuration cannot be used:', ...lines].join('\n  '));
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}

/** Why a file cannot be read, in a word. */
export function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return 'it is not UTF-8 text';
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}

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
