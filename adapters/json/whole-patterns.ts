import { RE2JS } from 're2js';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { PatternOptions, Patterns, WholeMatch } from '../../ports/patterns.ts';
import { readPattern } from './linear-pattern.ts';

/** Instructions × characters of one match: about 0.2 s at the slowest. */
const MAX_STEPS = 2_000_000;

/** Patterns of callers that match a whole text, on RE2. */
export class WholePatterns implements Patterns {
  compile(pattern: string, { ignoreCase = false, multiline = false }: PatternOptions = {}): WholeMatch {
    const flags = (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (multiline ? RE2JS.MULTILINE : 0);
    const { size, compiled } = readPattern(pattern, {
      compile: (source) => RE2JS.compile(source, flags),
      hasGroups: true,
    });
    return (text) => {
      if (size * (text.length + 1) > MAX_STEPS)
        throw new DomainError('BadRequest', 'The value is too long for the pattern');
      const matcher = compiled.matcher(text);
      if (!matcher.matches()) return undefined;
      return Array.from({ length: matcher.groupCount() + 1 }, (_unused, index) => matcher.group(index) ?? '');
    };
  }
}
