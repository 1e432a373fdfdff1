import { DomainError } from './errors.ts';

/**
 * The most values and names of members of JSON that is within a request, such as that of a token, or that comes from
 * elsewhere: as many as an mdoc has items.
 */
export const MAX_JSON_VALUES = 20_000;

const MAX_DEPTH = 64;
const QUOTE = 0x22;
const SPACE = 0x20;

/**
 * Parses JSON and refuses texts that two readers could understand differently: duplicate members (RFC 8259 §4), nesting
 * deeper than 64 and the member name `__proto__`. One with more than `most` values and names is refused before any is
 * built, since building and checking many of them holds the event loop. @throws DomainError `BadRequest`
 */
export function parseJson(text: string, most = MAX_JSON_VALUES): unknown {
  if (hasMoreValues(text, most)) throw new DomainError('BadRequest', `JSON may have at most ${most} values and names`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { line, column } = faultIn(text);
    throw new DomainError('BadRequest', `The text is not valid JSON: line ${line}, column ${column}`);
  }
  if (typeof value === 'object' && value !== null && countMembers(value) !== countNames(text)) scanMembers(text);
  return value;
}

const BACKSLASH = 0x5c;
/** `,`, `[` and `{`, one of which is before each value but the first one, and `:` behind a name. */
const SEPARATORS: ReadonlySet<number> = new Set([0x2c, 0x5b, 0x7b, 0x3a]);

/** Whether JSON text, valid or not, has more than `most` values and names; read once, and nothing is built. */
function hasMoreValues(text: string, most: number): boolean {
  // Each takes two characters at least.
  if (text.length <= 2 * most) return false;
  let left = most;
  for (let at = 0; at < text.length && left > 0; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (SEPARATORS.has(code)) left -= 1;
  }
  return left === 0;
}

/** The place of the quote that ends the string which begins here; the end of the text when there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

/** Number of members of all objects in a tree; NaN when one is named `__proto__` or is nested too deep. */
function countMembers(value: object, depth = 1): number {
  if (depth > MAX_DEPTH || Object.hasOwn(value, '__proto__')) return Number.NaN;
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = items === value ? 0 : items.length;
  for (const item of items) if (typeof item === 'object' && item !== null) count += countMembers(item, depth + 1);
  return count;
}

/** Number of colons after a quote in valid JSON text: one for each member, and similar text inside strings. */
function countNames(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) <= SPACE) before -= 1;
    if (text.charCodeAt(before) === QUOTE) count += 1;
  }
  return count;
}

/** Walks valid JSON text token by token; strings directly followed by a colon are member names. */
function scanMembers(text: string): void {
  const scopes: (Set<string> | undefined)[] = [];
  const token = /[{}[\]]|"(?:[^"\\]|\\.?)*(?:"(\s*:)?|$)/gs;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const found = match[0];
    if (found === '{') scopes.push(new Set());
    else if (found === '[') scopes.push(undefined);
    else if (found === '}' || found === ']') scopes.pop();
    else if (match[1] !== undefined) checkMember(scopes.at(-1), JSON.parse(found.slice(0, -match[1].length)));
    if (scopes.length > MAX_DEPTH)
      throw new DomainError('BadRequest', `JSON may not be nested deeper than ${MAX_DEPTH}`);
  }
}

function checkMember(scope: Set<string> | undefined, name: string): void {
  if (name === '__proto__') throw new DomainError('BadRequest', 'The member name "__proto__" is not allowed');
  if (scope?.has(name)) throw new DomainError('BadRequest', `The member "${name.slice(0, 64)}" appears twice`);
  scope?.add(name);
}

/** What may come next in JSON text (RFC 8259 §2). */
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end';

const BLANKS = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Where a text stops being JSON: at the token with which no JSON goes on, or at its end; both are counted from 1. Engines say
 * it in some messages only, and quote the text, which may be secret. Reads the text once.
 */
export function faultIn(text: string): { line: number; column: number } {
  const before = text.slice(0, goodUntil(text)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function goodUntil(text: string): number {
  const open: ('[' | '{')[] = [];
  let expected: Expected = 'value';
  for (let at = end(BLANKS, text, 0); ; at = end(BLANKS, text, at)) {
    const next = step(text, at, { expected, open });
    if (next === undefined) return at;
    [at, expected] = next;
  }
}

/** Reads one token; undefined where it is none that is expected. */
function step(
  text: string,
  at: number,
  { expected, open }: { expected: Expected; open: ('[' | '{')[] },
): [number, Expected] | undefined {
  const sign = text[at];
  const inner = open.at(-1);
  if (expected === 'colon') return sign === ':' ? [at + 1, 'value'] : undefined;
  const isEnd = inner === '[' ? sign === ']' : inner === '{' && sign === '}';
  if (isEnd && (expected === 'comma or end' || expected.includes(' or '))) {
    open.pop();
    return [at + 1, 'comma or end'];
  }
  if (expected === 'comma or end')
    return sign === ',' && inner ? [at + 1, inner === '{' ? 'name' : 'value'] : undefined;
  if (expected.startsWith('name')) return token(STRING, text, at, 'colon');
  if (sign === '[' || sign === '{') {
    open.push(sign);
    return [at + 1, sign === '[' ? 'value or ]' : 'name or }'];
  }
  return token(sign === '"' ? STRING : SCALAR, text, at, 'comma or end');
}

function token(pattern: RegExp, text: string, at: number, then: Expected): [number, Expected] | undefined {
  const to = end(pattern, text, at);
  return to > at ? [to, then] : undefined;
}

/** The end of what matches here; this place where nothing does. */
function end(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
