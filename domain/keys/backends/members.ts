import { fieldErrors, invalidField } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';

/** The most characters of a text in the configuration of a key, and of a PEM. */
const MAX_TEXT = 1024;
const MAX_PEM = 16_384;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/u;

/** How one member of a configuration is read. */
export interface Member {
  /** A PEM, which has line breaks. */
  isPem?: boolean;
  pattern?: RegExp;
  /** The message for a text that the pattern refuses. */
  expected?: string;
}

/**
 * Reads an object of texts. All problems are reported together.
 * @throws DomainError `BadRequest` naming each member that is missing, unknown or malformed
 */
export function readTexts<M extends string>(value: unknown, members: Readonly<Record<M, Member>>): Record<M, string> {
  if (!isObject(value)) throw invalidField([], 'must be an object');
  const known = Object.keys(members) as M[];
  const unknown = Object.keys(value)
    .filter((name) => !Object.hasOwn(members, name))
    .map((name) => ({ path: [name.slice(0, 64)], message: `is not known here; known are ${known.join(', ')}` }));
  const wrong = known.flatMap((name) => {
    const message = problemOf(value[name], members[name]);
    return message === undefined ? [] : [{ path: [name], message }];
  });
  if (unknown.length + wrong.length > 0) throw fieldErrors([...unknown, ...wrong]);
  return Object.fromEntries(known.map((name) => [name, value[name]])) as Record<M, string>;
}

function problemOf(value: unknown, { isPem, pattern, expected }: Member): string | undefined {
  if (value === undefined || value === null) return 'is required';
  const longest = isPem ? MAX_PEM : MAX_TEXT;
  if (!isText(value) || value.length > longest) return `must be a text of 1 to ${longest} characters`;
  if (!isPem && CONTROL.test(value)) return 'must not contain control characters';
  return pattern?.test(value) === false ? (expected ?? 'is malformed') : undefined;
}

/** Reads `tags` of a configuration: texts by name; undefined when there are none. @throws DomainError `BadRequest` naming the tag */
export function readTags(value: unknown, limits: TagLimits): Record<string, string> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw invalidField(['tags'], 'must be an object of texts');
  const tags = Object.entries(value);
  if (tags.length > limits.count) throw invalidField(['tags'], `may have at most ${limits.count} tags`);
  const wrong = tags.flatMap(([name, text]) => {
    const message = tagProblem(name, text, limits);
    return message === undefined ? [] : [{ path: ['tags', name.slice(0, 64)], message }];
  });
  if (wrong.length > 0) throw fieldErrors(wrong);
  return value as Record<string, string>;
}

/** The limits of a cloud for the tags of one key. */
export interface TagLimits {
  count: number;
  nameLength: number;
  valueLength: number;
  /** What every name and value must match. */
  pattern?: RegExp;
}

function tagProblem(name: string, text: unknown, { nameLength, valueLength, pattern }: TagLimits): string | undefined {
  if (typeof text !== 'string') return 'must be a text';
  if (name === '' || name.length > nameLength) return `must have a name of 1 to ${nameLength} characters`;
  if (text.length > valueLength) return `must have at most ${valueLength} characters`;
  return pattern && !(pattern.test(name) && pattern.test(text))
    ? 'contains a character that tags may not have'
    : undefined;
}

/** The `config` of a reference. @throws DomainError `BadRequest` for anything but an object */
export function requireConfig(value: unknown): JsonObject {
  if (!isObject(value)) throw invalidField([], 'is required');
  return value;
}

/** @throws DomainError `BadRequest` naming the first unknown member */
export function refuseOthers(rest: JsonObject): void {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw invalidField([unknown.slice(0, 64)], 'does not belong to a key of this backend');
}
