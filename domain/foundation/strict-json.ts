import { DomainError } from './errors.ts';

const MAX_DEPTH = 64;
const QUOTE = 0x22;
const SPACE = 0x20;

/**
 * Parses JSON and refuses texts that two readers could understand differently: duplicate members (RFC 8259 §4), nesting
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
