import { Token } from '@pushcorn/hocon-parser/lib/core/Token.js';
import { HoconError } from './errors.ts';
import { checkBrackets } from './hocon-brackets.ts';

const MAX_DEPTH = 64;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** An open object or list with the state of its current field or element. */
interface Scope {
  kind: 'object' | 'list';
  reading: 'key' | 'value';
  /** Whether the value has its first token. */
  begun: boolean;
  run: Token[];
}

/** The state of one walk over the tokens. */
interface Walk {
  scopes: Scope[];
  keys: Set<string>;
  variables: Token[];
  /** Tokens of a substitution that were already checked. */
  skip: number;
  tokens: Token[];
}

const open = (kind: Scope['kind']): Scope => ({
  kind,
  reading: kind === 'object' ? 'key' : 'value',
  begun: false,
  run: [],
});

const top = (walk: Walk): Scope => {
  const scope = walk.scopes.at(-1);
  if (scope === undefined) throw new Error('The brackets of the text were not checked');
  return scope;
};

/**
 * Refuses syntax that configuration does not need and that lets the parser read more than the text: includes, appending
 * and overwriting assignments, transforms, computed keys, references to other fields, and keys that are members of every
 * object or that the parser would evaluate.
 * @throws HoconError with the line
 */
export function guardHocon(tokens: Token[]): void {
  checkBrackets(tokens);
  const root = open('object');
  const walk: Walk = { scopes: [root], keys: new Set(), variables: [], skip: 0, tokens };
  tokens.forEach((token, index) => {
    if (index >= walk.skip) RULES.get(token.type)?.(walk, token, index);
  });
  endValue(root);
  for (const { value, line } of walk.variables)
    if (walk.keys.has(value.trim()))
      throw new HoconError(
        `\${${value.trim()}} must be an environment variable, but a field here has that name: repeat its value, or leave the line out where it is the default`,
        line,
      );
}

type Rule = (walk: Walk, token: Token, index: number) => void;

const refuse =
  (what: string): Rule =>
  (_walk, { line }) => {
    throw new HoconError(what, line);
  };

const { TYPE } = Token;

const RULES = new Map<symbol | undefined, Rule>([
  [TYPE.PIPE, refuse('"|" is not supported; put text that holds it in double quotes')],
  [TYPE.AT, refuse('"@" is not supported; put text that holds it in double quotes')],
  [TYPE.ASSIGN, assign],
  [TYPE.OPEN_CURLY, openObject],
  [TYPE.OPEN_SQUARE, (walk, token) => push(walk, token, 'list')],
  [TYPE.CLOSE_CURLY, close],
  [TYPE.CLOSE_SQUARE, close],
  [TYPE.COMMA, (walk) => endValue(top(walk))],
  [TYPE.NEWLINE, newline],
  [TYPE.VALUE, value],
  [TYPE.WHITESPACE, (walk, token) => top(walk).run.push(token)],
  [TYPE.SUBSTITUTION, substitution],
]);

function assign(walk: Walk, token: Token): void {
  if (token.value !== '=' && token.value !== ':')
    throw new HoconError(`"${token.value}" is not supported; write the whole value with "="`, token.line);
  const scope = top(walk);
  if (scope.reading === 'value') throw new HoconError('put text that holds ":" or "=" in double quotes', token.line);
  readKey(walk, scope);
  scope.begun = false;
}

function openObject(walk: Walk, token: Token): void {
  const scope = top(walk);
  if (scope.reading === 'key' && scope.run.some(({ type }) => type === TYPE.VALUE)) readKey(walk, scope);
  push(walk, token, 'object');
}

function push(walk: Walk, token: Token, kind: Scope['kind']): void {
  const scope = top(walk);
  scope.reading = 'value';
  scope.begun = true;
  scope.run = [];
  walk.scopes.push(open(kind));
  if (walk.scopes.length > MAX_DEPTH) throw new HoconError(`nested deeper than ${MAX_DEPTH}`, token.line);
}

function close(walk: Walk): void {
  endValue(top(walk));
  walk.scopes.pop();
}

function newline(walk: Walk): void {
  const scope = top(walk);
  if (scope.kind === 'list' || (scope.reading === 'value' && scope.begun)) endValue(scope);
}

function endValue(scope: Scope): void {
  checkNumber(scope.run);
  scope.run = [];
  scope.begun = false;
  if (scope.kind === 'object') scope.reading = 'key';
}

function value(walk: Walk, token: Token): void {
  if (!token.quoted && (token.value === 'include' || token.value === 'require'))
    throw new HoconError(`"${token.value}" is not supported; put it in double quotes if it is a value`, token.line);
  const scope = top(walk);
  scope.begun = true;
  scope.run.push(token);
}

function substitution(walk: Walk, token: Token, index: number): void {
  const scope = top(walk);
  if (scope.reading === 'key') throw new HoconError('a substitution may not be part of a key', token.line);
  const ahead = walk.tokens.slice(index + 1, index + 5);
  const end = ahead.findIndex(({ type }) => type === TYPE.CLOSE_CURLY);
  const inside = ahead.slice(0, Math.max(end, 0)).filter(({ type }) => type !== TYPE.WHITESPACE);
  const [name] = inside;
  if (name === undefined || inside.length !== 1 || name.quoted || !VARIABLE.test(name.value) || name.value in {})
    throw new HoconError('a substitution must hold the name of an environment variable and nothing else', token.line);
  walk.variables.push(name);
  walk.skip = index + end + 2;
  scope.begun = true;
  scope.run.push(token);
}

/** Quoted parts are literal; dots in unquoted parts separate a path. */
function readKey(walk: Walk, scope: Scope): void {
  const segments = [''];
  for (const { value: text, quoted } of scope.run) {
    const [first = '', ...rest] = quoted ? [text] : text.split('.');
    segments.push(`${segments.pop()}${first}`, ...rest);
  }
  for (const segment of segments) checkKey(segment.trim(), scope.run[0]?.line);
  for (const segment of segments) walk.keys.add(segment.trim());
  scope.reading = 'value';
  scope.run = [];
}

function checkKey(key: string, line: number | undefined): void {
  if (key in {} || key === 'prototype' || key === '*' || /^\*?\{/.test(key))
    throw new HoconError(`the key "${key.slice(0, 64)}" is not allowed`, line);
}

/** 007 and 0x10 are text in HOCON but numbers to the parser. */
function checkNumber(run: Token[]): void {
  if (run.some(({ quoted, type }) => quoted || type === TYPE.SUBSTITUTION)) return;
  const text = run
    .map(({ value: part }) => part)
    .join('')
    .trim();
  if (text !== '' && !Number.isNaN(Number(text)) && !JSON_NUMBER.test(text))
    throw new HoconError('this is neither a plain number nor quoted text; put it in double quotes', run[0]?.line);
}
