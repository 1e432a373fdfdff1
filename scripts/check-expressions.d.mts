/** A regular expression that is written out in a source text. */
export interface LiteralExpression {
  file: string;
  line: number;
  source: string;
  flags: string;
}

export function endsInOpenRepetition(source: string, flags?: string): boolean;
export function literalExpressions(file: string, text: string): LiteralExpression[];
export function sourceFiles(): string[];
