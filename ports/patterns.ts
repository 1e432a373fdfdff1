/** How a pattern reads a text, besides its own syntax. */
export interface PatternOptions {
  ignoreCase?: boolean;
  /** Whether `^` and `$` match at the ends of lines too. */
  multiline?: boolean;
}

/**
 * A compiled pattern: for a text that it matches as a whole, the text and what each of its groups matched, '' for a group
 * without a part. @throws DomainError `BadRequest` when text and pattern are too large together
 */
export type WholeMatch = (text: string) => string[] | undefined;

/** Patterns of callers, in the syntax of ECMAScript; matching takes time linear in the text. */
export interface Patterns {
  /** @throws DomainError `BadRequest` when the pattern is not valid, too large or not supported */
  compile(pattern: string, options?: PatternOptions): WholeMatch;
}
