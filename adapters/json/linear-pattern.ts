import { RE2JSException, RE2Set } from 're2js';
import { DomainError, isDomainError } from '../../domain/foundation/errors.ts';
import { translatePattern } from './pattern-syntax.ts';

/** A pattern has at most this many characters. A type of 512 characters, quoted, still fits. */
const MAX_LENGTH = 1100;
/** A compiled pattern has at most this many instructions; compiling them takes about 20 ms. */
const MAX_SIZE = 2500;
/** Bytes for the states that matching caches; a text that needs more of them is matched without a cache. */
const STATE_BYTES = 64 * 1024;
const INSTRUCTION_BYTES = 256;

/** A pattern of a caller. Matching takes time linear in the text for every pattern. */
export interface LinearPattern {
  /** Instructions: each is executed at most once for each character of a text. */
  size: number;
  /** Upper bound of its memory. */
  bytes: number;
  /** As `RegExp.prototype.test` with the flag `u`. */
  test(text: string): boolean;
}

/** Compiles a pattern of ECMAScript. @throws DomainError `BadRequest`, naming the construct that is not supported */
export function compilePattern(pattern: string): LinearPattern {
  const { size, compiled } = readPattern(pattern, { compile: compileSet });
  return {
    size,
    bytes: STATE_BYTES + INSTRUCTION_BYTES * size,
    test: (text) => compiled.match(text).length > 0,
  };
}

function compileSet(source: string): RE2Set {
  const set = new RE2Set(RE2Set.UNANCHORED, 0, STATE_BYTES);
  set.add(source);
  set.compile();
  return set;
}

/** How a pattern is compiled, and whether it matters what its groups match. */
interface PatternUse<T> {
  compile: (source: string) => T;
  hasGroups?: boolean;
}

/**
 * Translates a pattern of ECMAScript to RE2, with the number of its instructions, and compiles it.
 * @throws DomainError `BadRequest`, as `compilePattern`
 */
export function readPattern<T>(pattern: string, { compile, hasGroups }: PatternUse<T>): { size: number; compiled: T } {
  if (pattern.length > MAX_LENGTH) throw refused(pattern, `has more than ${MAX_LENGTH} characters`);
  const { source, size } = translated(pattern, hasGroups);
  if (size > MAX_SIZE) throw refused(pattern, 'is too large');
  try {
    return { size, compiled: compile(source) };
  } catch (error) {
    // RE2 refuses only nested repetitions that multiply to more than 1,000.
    throw error instanceof RE2JSException ? refused(pattern, 'is too large') : error;
  }
}

function translated(pattern: string, hasGroups?: boolean): ReturnType<typeof translatePattern> {
  const flags = ['u', ''].find((flag) => isValid(pattern, flag));
  if (flags === undefined) throw refused(pattern, 'is not a valid regular expression');
  try {
    return translatePattern(pattern, { hasUnicodeFlag: flags === 'u', hasGroups });
  } catch (error) {
    if (!isDomainError(error, 'BadRequest')) throw error;
    throw refused(pattern, error.message);
  }
}

/** Reads the syntax only: an expression of a caller is never run. */
function isValid(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

const refused = (pattern: string, why: string): DomainError =>
  new DomainError('BadRequest', `the pattern "${pattern.slice(0, 80)}" ${why}`);
