import { DomainError } from './errors.ts';

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = Record<string, unknown>;

/** Whether `value` is a JSON object (not null, not an array). */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether `value` is a string with at least one character. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The value as a list: an array stays, anything else but undefined becomes its only element. */
export const asList = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** A deep copy of a plain JSON value. */
export const copyJson = <T>(value: T): T => structuredClone(value);

/** Whether two JSON values are equal; the order of members means nothing. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  const members = Object.entries(left);
  return (
    Array.isArray(left) === Array.isArray(right) &&
    members.length === Object.keys(right).length &&
    members.every(([name, value]) => Object.hasOwn(right, name) && isSameJson(value, Reflect.get(right, name)))
  );
}

/** About how many bytes of memory a JSON value takes, rather too many than too few. */
export function memoryOf(value: unknown): number {
  if (typeof value === 'string') return 32 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 16;
  let bytes = 64;
  for (const [name, part] of Object.entries(value)) bytes += 16 + 2 * name.length + memoryOf(part);
  return bytes;
}

const MAX_DEPTH = 64;
const QUOTE = 0x22;
const SPACE = 0x20;

/**
 * Parses JSON and refuses what two readers could understand differently: duplicate members (RFC 8259 §4), nesting
 * deeper than 64 and the member name `__proto__`. @throws DomainError `BadRequest`
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DomainError('BadRequest', 'The text is not valid JSON');
  }
  if (typeof value === 'object' && value !== null && countMembers(value) !== countNames(text)) scanMembers(text);
  return value;
}

/** How many members the objects of a tree have; NaN where one is named `__proto__` or lies too deep. */
function countMembers(value: object, depth = 1): number {
  if (depth > MAX_DEPTH || Object.hasOwn(value, '__proto__')) return Number.NaN;
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = items === value ? 0 : items.length;
  for (const item of items) if (typeof item === 'object' && item !== null) count += countMembers(item, depth + 1);
  return count;
}

/** How many colons of valid JSON text follow a quote: one for each member, and any in strings that looks like one. */
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
/** How many values a JSON value is made of: a measure of the work it can cause. A long text counts by its length. */
export function countValues(value: unknown): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / 256);
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const part of Object.values(value)) count += countValues(part);
  return count;
}
