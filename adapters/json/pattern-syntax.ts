import { DomainError } from '../../domain/foundation/errors.ts';

/** A pattern of ECMAScript in the syntax of RE2: matches the same texts, read by code point. */
interface TranslatedPattern {
  source: string;
  /** Instructions that the compiled pattern has at most. */
  size: number;
}

/** A part of a pattern, or the members of a character class. */
type Part = TranslatedPattern;

/** RE2 repeats a part at most this often. */
const MAX_REPETITIONS = 1000;
const ANY = '\\x{0}-\\x{10FFFF}';
const LINE_ENDS = '\\n\\r\\x{2028}\\x{2029}';
const SPACES =
  '\\x{9}-\\x{D}\\x{20}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}';
const NOT_SPACES =
  '\\x{0}-\\x{8}\\x{E}-\\x{1F}\\x{21}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}' +
  '\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}';

/** Escapes for sets of characters, as members of a class. */
const SETS: Record<string, string> = { d: '\\d', D: '\\D', w: '\\w', W: '\\W', s: SPACES, S: NOT_SPACES };
const CONTROLS: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13 };
/** Groups that RE2 does not have, by their beginning. */
const GROUPS: [beginning: RegExp, construct: string][] = [
  [/^\(\?<?[=!]/, 'a look-around'],
  [/^\(\?[^:<]/, 'modifiers'],
];
/** Long names of general categories that RE2 knows by their short ones; scripts are known by their own. */
const CATEGORIES: Record<string, string> = {
  ...{
    Any: 'Any',
    ASCII: 'Ascii',
    Assigned: 'Assigned',
    Letter: 'L',
    Lowercase_Letter: 'Ll',
    Uppercase_Letter: 'Lu',
    Mark: 'M',
    Number: 'N',
  },
  ...{ Decimal_Number: 'Nd', Punctuation: 'P', Separator: 'Z', Space_Separator: 'Zs', Symbol: 'S' },
};
const PROPERTY = /^\\[pP]\{(?:(?<key>gc|General_Category|sc|Script)=)?(?<name>\w+)\}/;

/** How a pattern is read. */
interface Reading {
  /** Whether the pattern was accepted with the flag `u`. */
  hasUnicodeFlag: boolean;
  /** Whether it matters what the groups match. */
  hasGroups?: boolean;
}

/**
 * Translates a pattern that ECMAScript accepts to RE2.
 * @throws DomainError `BadRequest` for a construct that RE2 does not have
 */
export function translatePattern(pattern: string, reading: Reading): TranslatedPattern {
  return new Translation(pattern, reading).run();
}

const unsupported = (construct: string): DomainError =>
  new DomainError('BadRequest', `uses ${construct}, which is not supported`);

const characterOf = (code: number): string => `\\x{${code.toString(16)}}`;
const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

class Translation {
  #at = 0;
  readonly #hasUnicodeFlag: boolean;
  readonly #hasGroups: boolean;

  constructor(
    private readonly pattern: string,
    { hasUnicodeFlag, hasGroups = false }: Reading,
  ) {
    this.#hasUnicodeFlag = hasUnicodeFlag;
    this.#hasGroups = hasGroups;
  }

  run(): Part {
    const { source, size } = this.#alternatives();
    return { source, size: size + 2 };
  }

  #alternatives(): Part {
    const parts = [this.#sequence()];
    while (this.#take(/^\|/)) parts.push(this.#sequence());
    const size = parts.reduce((sum, part) => sum + part.size, parts.length - 1);
    return { source: parts.map(({ source }) => source).join('|'), size };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.pattern.length && !/[|)]/.test(this.#next)) parts.push(this.#repeated(this.#atom()));
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    return { source: parts.map(({ source }) => source).join(''), size: Math.max(1, size) };
  }

  /** Whether a repetition takes as much or as little as it can changes only what the groups match. */
  #repeated({ source, size }: Part): Part {
    const written = this.#take(/^(?:[*+?]|\{\d+(?:,\d*)?\})\??/);
    if (!written) return { source, size };
    const [sign = '', bounds] = /^(?:[*+?]|\{([^}]*)\})/.exec(written[0]) ?? [];
    const [least = '1', most = least] = bounds?.split(',') ?? [];
    const times = Math.max(Number(least), Number(most || least) + (most ? 0 : 1));
    if (times > MAX_REPETITIONS) throw unsupported(`a repetition of more than ${MAX_REPETITIONS}`);
    const lazy = this.#hasGroups && /.\?$/.test(written[0]) ? '?' : '';
    return { source: `(?:${source})${sign}${lazy}`, size: Math.max(1, times) * (size + (least === most ? 0 : 1)) + 2 };
  }

  #atom(): Part {
    const next = this.#next;
    if (next === '(') return this.#group();
    if (next === '[') return this.#class();
    if (next === '\\') return this.#escape();
    if (next === '^' || next === '$' || next === '.') {
      this.#at += 1;
      return { source: next === '.' ? `[^${LINE_ENDS}]` : next, size: 1 };
    }
    return { source: characterOf(this.#character()), size: 1 };
  }

  #group(): Part {
    const rest = this.pattern.slice(this.#at, this.#at + 4);
    const [, construct] = GROUPS.find(([beginning]) => beginning.test(rest)) ?? [];
    if (construct !== undefined) throw unsupported(construct);
    const [opening] = this.#take(/^\((?:\?(?::|<[^>]*>))?/) ?? [];
    const { source, size } = this.#alternatives();
    this.#at += 1;
    const isCaptured = this.#hasGroups && opening !== '(?:';
    return isCaptured ? { source: `(${source})`, size: size + 2 } : { source: `(?:${source})`, size };
  }

  #escape(): Part {
    const boundary = this.#take(/^\\[bB]/);
    if (boundary) return { source: boundary[0], size: 1 };
    const set = this.#set();
    return { source: set === undefined ? characterOf(this.#character()) : `[${set}]`, size: 1 };
  }

  #class(): Part {
    const [, sign] = this.#take(/^\[(\^?)/) ?? [];
    let members = '';
    while (this.#next !== ']') members += this.#set() ?? this.#range();
    this.#at += 1;
    if (members === '') return { source: sign ? `[${ANY}]` : `[^${ANY}]`, size: 1 };
    return { source: `[${sign}${members}]`, size: 1 };
  }

  /** A character of a class, or a range of them; before a set of characters, a hyphen is one character. */
  #range(): string {
    const first = this.#take(/^\\b/) ? 8 : this.#character();
    if (!/^-[^\]]/.test(this.#rest(2)) || /^-\\[dDwWsSpP]/.test(this.#rest(3))) return characterOf(first);
    this.#at += 1;
    const last = this.#take(/^\\b/) ? 8 : this.#character();
    return `${characterOf(first)}-${characterOf(last)}`;
  }

  /** The members that a set like `\d` or `\p{L}` adds to a class. */
  #set(): string | undefined {
    const [, name = ''] = this.#take(/^\\([dDwWsS])/) ?? [];
    if (name) return SETS[name];
    if (!/^\\[pP]/.test(this.#rest(2))) return undefined;
    const property = this.#hasUnicodeFlag ? this.#take(PROPERTY) : undefined;
    if (!property) throw unsupported(`the property ${/^[^}]*\}?/.exec(this.#rest(40))?.[0]}`);
    const { key = '', name: value = '' } = property.groups ?? {};
    const isKnown = key !== '' || /^[A-Z][a-z&]?$/.test(value) || Object.hasOwn(CATEGORIES, value);
    if (!isKnown) throw unsupported(`the property ${property[0]}`);
    return `${property[0].slice(0, 2)}{${CATEGORIES[value] ?? value}}`;
  }

  /** One character as it is written, escaped or not. */
  #character(): number {
    const code = this.#next === '\\' ? this.#escapedCharacter() : this.#plainCharacter();
    if (isSurrogate(code)) throw unsupported('half of a surrogate pair');
    return code;
  }

  #plainCharacter(): number {
    const code = this.pattern.codePointAt(this.#at) ?? 0;
    this.#at += code > 0xffff ? 2 : 1;
    return code;
  }

  #escapedCharacter(): number {
    const pair = this.#take(/^\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/);
    if (pair) return String.fromCharCode(...pair.slice(1).map((hex) => Number.parseInt(hex, 16))).codePointAt(0) ?? 0;
    const hex = this.#take(/^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/);
    if (hex) return Number.parseInt(hex[1] ?? hex[2] ?? '', 16);
    const long = this.#hasUnicodeFlag ? this.#take(/^\\u\{([0-9a-fA-F]+)\}/) : undefined;
    if (long) return Number.parseInt(long[1] ?? '', 16);
    const control = this.#take(/^\\c([A-Za-z])/);
    if (control) return (control[1] ?? '').charCodeAt(0) % 32;
    const named = this.#take(/^\\([tnvfr]|0(?!\d))/);
    if (named) return CONTROLS[named[1] ?? ''] ?? 0;
    if (/^\\[1-9k]/.test(this.#rest(2))) throw unsupported('a back-reference');
    if (/^\\[A-Za-z0-9]/.test(this.#rest(2))) throw unsupported(`the escape ${this.#rest(2)}`);
    this.#at += 1;
    return this.#plainCharacter();
  }

  get #next(): string {
    return this.pattern.charAt(this.#at);
  }

  #rest(length: number): string {
    return this.pattern.slice(this.#at, this.#at + length);
  }

  /** Reads what the expression matches here. */
  #take(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.pattern.slice(this.#at));
    this.#at += found?.[0].length ?? 0;
    return found ?? undefined;
  }
}
