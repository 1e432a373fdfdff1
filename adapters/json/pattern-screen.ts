import { DomainError } from '../../domain/foundation/errors.ts';
import { LruCache } from '../../domain/foundation/lru-cache.ts';

/** A type of 512 characters, quoted, is still within the first. */
const MAX_PLAIN_LENGTH = 1100;
const MAX_LENGTH = 256;
const CHECK_MS = 1500;
const MAX_WAITING = 16;

type Verdict = 'safe' | 'vulnerable' | 'invalid' | 'unknown';

const REASONS: Record<Exclude<Verdict, 'safe'>, string> = {
  vulnerable: 'can take a very long time on some texts',
  invalid: 'is not a valid regular expression',
  unknown: 'could not be shown to run in bounded time',
};

const LITERAL = String.raw`(?:[^\\^$.*+?()[\]{}|]|\\[^\w]|\\[dDsSwW]|\.|\[(?:[^\\\[\]]|\\[^\w]|\\[dDsSwW])+\])`;

/** Without repetition and with one choice at most, every attempt ends within the pattern's own length. */
const PLAIN = new RegExp(`^\\^?${LITERAL}*(?:\\((?:\\?:)?${LITERAL}*(?:\\|${LITERAL}*)*\\)${LITERAL}*)?\\$?$`, 'u');

/** A repetition of one character or class that cannot be tried twice: anchored on both sides, or the whole at once. */
const ONE_REPEAT = new RegExp(`^(?:\\^${LITERAL}*${LITERAL}[*+]\\$|\\^?\\.[*+])$`, 'u');

const MAX_TEXT = 65_536;

/** A caller's pattern as JSON Schema uses it; no text over 65,536 characters matches. */
export interface ScreenedPattern {
  test(text: string): boolean;
  toString(): string;
}

/** Compiles a pattern; those that only hold without the Unicode flag are read without it. @throws SyntaxError */
export function compilePattern(pattern: string): ScreenedPattern & { flags: string } {
  const expression = regExpOf(pattern);
  return {
    flags: expression.flags,
    test: (text) => text.length <= MAX_TEXT && expression.test(text),
    toString: () => String(expression),
  };
}

function regExpOf(pattern: string): RegExp {
  const source = withoutPadding(pattern);
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

/** An expression that may match anywhere means the same without `.*` at its ends, and is much cheaper. */
const withoutPadding = (pattern: string): string => pattern.replace(/^(?:\.\*\??)+/, '').replace(/(?<!\\)\.\*$/, '');

/** Decides which patterns of callers may run here: only those that take linear time whatever the text. */
export class PatternScreen {
  readonly #verdicts = new LruCache<Verdict>('pattern-verdicts');
  #waiting = 0;

  /** @throws DomainError `BadRequest` unless the pattern is known to be harmless */
  async check(pattern: string): Promise<void> {
    const verdict = await this.#judge(pattern);
    if (verdict === 'safe') return;
    throw new DomainError('BadRequest', `the pattern "${pattern.slice(0, 80)}" ${REASONS[verdict]}`);
  }

  async #judge(written: string): Promise<Verdict> {
    if (written.length > MAX_PLAIN_LENGTH) return 'unknown';
    const flags = flagsOf(written);
    if (flags === undefined) return 'invalid';
    const pattern = withoutPadding(written);
    if (PLAIN.test(pattern) || ONE_REPEAT.test(pattern)) return 'safe';
    if (pattern.length > MAX_LENGTH) return 'unknown';
    const known = this.#verdicts.get(pattern);
    if (known) return known;
    if (this.#waiting >= MAX_WAITING) return 'unknown';
    this.#waiting += 1;
    try {
      const verdict = await analyse(pattern, flags);
      // With others in the queue the time may have run out through no fault of this pattern.
      if (verdict !== 'unknown' || this.#waiting === 1) this.#verdicts.set(pattern, verdict);
      return verdict;
    } finally {
      this.#waiting -= 1;
    }
  }
}

function flagsOf(pattern: string): string | undefined {
  try {
    return compilePattern(pattern).flags;
  } catch {
    return undefined;
  }
}

/** The analysis runs in a worker thread of its own and is cut off after `CHECK_MS`; it is loaded when first needed. */
async function analyse(pattern: string, flags: string): Promise<Verdict> {
  process.env.RECHECK_BACKEND ??= 'worker';
  const { check } = await import('recheck');
  const { status } = await check(pattern, flags, { timeout: CHECK_MS, signal: AbortSignal.timeout(CHECK_MS) });
  return status;
}
