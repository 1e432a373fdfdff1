/**
 * Refuses regular expressions that end in an unanchored repetition (`x*$`, `x+$`): tried anew at each of n equal
 * characters, they take time that grows with the square of n.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const FLOORS = ['ports', 'domain', 'adapters', 'composition', 'demo', 'scripts'];
const TOKENS =
  /\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!])|\{\d+(?:,\d*)?\}|./gsu;

const isUnbounded = (token) => token === '*' || token === '+' || /^\{\d+,\}$/.test(token ?? '');
const isQuantifier = (token) => token === '?' || isUnbounded(token) || /^\{\d/.test(token ?? '');
const isOpening = (token) => token === undefined || token === '|' || token.startsWith('(');

/** Whether the expression ends somewhere in a repetition that may begin anywhere. */
export function endsInOpenRepetition(source, flags = '') {
  const tokens = source.match(TOKENS) ?? [];
  return tokens.some((token, at) => token === '$' && !isAnchored(tokens, at) && repeatsBefore(tokens, at, flags));
}

function isAnchored(tokens, end) {
  let depth = 0;
  let start = 0;
  for (let at = 0; at < end; at += 1) {
    if (tokens[at].startsWith('(')) depth += 1;
    else if (tokens[at] === ')') depth -= 1;
    else if (tokens[at] === '|' && depth === 0) start = at + 1;
  }
  const first = start;
  while (tokens[start] === '(' || tokens[start] === '(?:') start += 1;
  return tokens[start] === '^' && (start === first || !tokens.slice(start, end).includes('|'));
}

function repeatsBefore(tokens, end, flags) {
  let at = end - 1;
  for (;;) {
    if (tokens[at] === ')') at -= 1;
    else if (tokens[at] === '?' && isUnbounded(tokens[at - 1])) at -= 1;
    else if (tokens[at] === '?' && tokens[at - 1] !== ')') at -= 2;
    else break;
  }
  return isUnbounded(tokens[at]) && mayBeginAnywhere(tokens, at - 1, flags);
}

/** A repetition begins only where something precedes it that it does not match itself. */
function mayBeginAnywhere(tokens, repeated, flags) {
  if (tokens[repeated] === ')') return true;
  const before = precedingAtom(tokens, repeated - 1);
  if (isOpening(before) || before === ')' || isQuantifier(before)) return true;
  return Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).some(
    (character) => matches(before, character, flags) && matches(tokens[repeated], character, flags),
  );
}

/** The atom at an index; `(^|x)` counts as x, since a text has one beginning. */
function precedingAtom(tokens, at) {
  const isEdge = tokens[at] === ')' && tokens[at - 2] === '|' && tokens[at - 3] === '^';
  return isEdge && isOpening(tokens[at - 4]) ? tokens[at - 1] : tokens[at];
}

const matches = (atom, character, flags) => new RegExp(`^(?:${atom})$`, flags.replaceAll(/[gy]/g, '')).test(character);

/** Every regular expression that is written out in a source text, with its line. */
export function literalExpressions(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ file, line, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Every source file of the product. */
export const sourceFiles = () =>
  FLOORS.flatMap((floor) => readdirSync(floor, { recursive: true }).map((name) => join(floor, name))).filter((name) =>
    /\.m?ts$|\.mjs$/.test(name),
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = sourceFiles().map((file) => [file, readFileSync(file, 'utf8')]);
  // Only where a `$` is that begins no part of a template.
  const all = files.filter(([, text]) => /\$(?!\{)/.test(text)).flatMap((one) => literalExpressions(...one));
  const refused = all.filter(({ source, flags }) => endsInOpenRepetition(source, flags));
  for (const { file, line, source } of refused)
    console.error(
      `${file}:${line}: /${source}/ ends in a repetition that may begin anywhere; anchor it with ^ or bound it`,
    );
  if (refused.length > 0) process.exit(1);
}
