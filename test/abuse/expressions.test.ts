import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { expect } from 'chai';
import ts from 'typescript';
import { parse } from 'yaml';
import { endsInOpenRepetition, literalExpressions, sourceFiles } from '../../scripts/check-expressions.mjs';
import { runnable } from '../support/processes/script.ts';

const LENGTH = 100_000;
/** Milliseconds: far more than a linear run takes on a busy machine, far less than 10⁵ × 10⁵ steps. */
const MAX_MS = 250;
const COMMON = [...'a0 .:/-="\\{[%\n'];
const MAX_CHARACTERS = 30;

interface Expression {
  place: string;
  run: (text: string) => unknown;
  /** The source of the expression, from which matching texts are derived. */
  source: string;
  flags: string;
}

const expressionOf = (place: string, { source, flags }: { source: string; flags: string }): Expression => {
  const expression = new RegExp(source, flags);
  return { place, source, flags, run: (text) => text.search(expression) };
};

const productFiles = (): string[] => sourceFiles().filter((file) => file.endsWith('.ts'));

const written = (): Expression[] =>
  productFiles()
    .flatMap((file) => literalExpressions(file, readFileSync(file, 'utf8')))
    .map(({ file, line, source, flags }) => expressionOf(`${file}:${line}`, { source, flags }));

/** Calls of `new RegExp`: the number that a file runs when it is loaded, and the functions that contain others. */
function constructions(file: string): { atLoad: number; later: string[] } {
  const found = { atLoad: 0, later: [] as string[] };
  const visit = (node: ts.Node, inside: string | undefined): void => {
    const isConstruction = ts.isNewExpression(node) && node.expression.getText() === 'RegExp';
    if (isConstruction && inside === undefined) found.atLoad += 1;
    else if (isConstruction) found.later.push(`${file} ${inside}`);
    const name = ts.isFunctionDeclaration(node)
      ? (node.name?.text ?? '')
      : ts.isFunctionLike(node)
        ? 'a function'
        : inside;
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true), undefined);
  return found;
}

/** The expressions that a file creates when it is loaded, collected by loading it again. */
async function assembled(file: string): Promise<Expression[]> {
  const made: RegExp[] = [];
  const native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(native, {
    construct: (target, [source, flags]) => {
      const expression = new target(source, flags);
      made.push(expression);
      return expression;
    },
  });
  try {
    await import(`${pathToFileURL(runnable(file)).href}?again`);
  } finally {
    globalThis.RegExp = native;
  }
  return made.map((expression) => expressionOf(file, expression));
}

function patternsIn(value: unknown, place: string): Expression[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [
    ...(name === 'pattern' && typeof part === 'string' ? [expressionOf(place, { source: part, flags: 'u' })] : []),
    ...patternsIn(part, `${place}/${name}`),
  ]);
}

const documented = (): Expression[] =>
  ['openapi', 'openapi/config']
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((file) => /\.(yaml|json)$/.test(file))
    .flatMap((file) => patternsIn(parse(readFileSync(file, 'utf8')), file));

/** The formats of JSON Schema; `url` is one of our own. */
const formatChecks = (): Expression[] =>
  Object.entries(fullFormats).flatMap(([name, format]): Expression[] => {
    if (name === 'url' || typeof format === 'boolean' || typeof format === 'string') return [];
    if (format instanceof RegExp) return [expressionOf(`format ${name}`, format)];
    const validate = typeof format === 'function' ? format : format.validate;
    if (validate instanceof RegExp) return [expressionOf(`format ${name}`, validate)];
    return [{ place: `format ${name}`, source: '', flags: '', run: validate as (text: string) => unknown }];
  });

/** The literal characters that every match begins with. */
function beginningOf({ source }: Expression): string {
  const [written = ''] = /^\^?((?:\\[^\w]|[^\\^$.*+?()[\]{}|])\??)*/.exec(source) ?? [];
  return written.replaceAll(/^\^|\?|\\(?=.)/g, '');
}

/** 10⁵ repeated characters of every kind in the expression: alone and after the beginning of a match. */
function* texts(expression: Expression): Generator<string> {
  const own = expression.source.replaceAll(/[^\x20-\x7e]/g, '');
  const characters = new Set([...COMMON, ...own].slice(0, MAX_CHARACTERS));
  const starts = new Set(['', beginningOf(expression)]);
  for (const character of characters) {
    const many = character.repeat(LENGTH);
    for (const start of starts) yield `${start}${many}\u0001`;
  }
  yield `${'\\"'.repeat(LENGTH / 2)}\\`;
}

function slowest(expression: Expression): { ms: number; text: string } {
  let worst = { ms: 0, text: '' };
  for (const text of texts(expression)) {
    const took = [0, 1].reduce((best) => (best < MAX_MS ? best : timed(expression, text)), Number.POSITIVE_INFINITY);
    if (took > worst.ms) worst = { ms: took, text: text.slice(0, 12) };
  }
  return worst;
}

function timed({ run }: Expression, text: string): number {
  const started = performance.now();
  run(text);
  return performance.now() - started;
}

describe('regular expressions on texts of callers', () => {
  it('take linear time on 10⁵ repeated characters in any position', async () => {
    const loading = productFiles().filter((file) => constructions(file).atLoad > 0);
    const made: Expression[] = [];
    for (const file of loading) made.push(...(await assembled(file)));
    expect(made.length, 'expressions put together').to.be.at.least(loading.length);
    const all = [...written(), ...made, ...documented(), ...formatChecks()];
    expect(all.length).to.be.greaterThan(150);
    const slow = all.map((expression) => ({ ...expression, ...slowest(expression) })).filter(({ ms }) => ms >= MAX_MS);
    expect(
      slow.map(({ place, source, ms, text }) => `${place} /${source}/ ${Math.round(ms)} ms on ${text}`),
    ).to.deep.equal([]);
  });

  it('are created at run time only to read the syntax of a pattern, never to match', () => {
    const later = productFiles().flatMap((file) => constructions(file).later);
    expect([...new Set(later)]).to.deep.equal(['adapters/json/linear-pattern.ts isValid']);
  });

  it('the lint refuses an unanchored repetition at the end, and nothing else', () => {
    const open = [
      '=*$',
      '=+$',
      String.raw`\s+$`,
      'a|b*$',
      '(x*)$',
      'x*?$',
      'x*y?$',
      'xx*$',
      '(?:ab)*$',
      'x{2,}$',
      'a+b*$',
      '(^a|b*)$',
    ];
    const closed = [
      '^x*$',
      '={1,2}$',
      '%[^%]*$',
      String.raw`(^|\.)[0-9]+$`,
      '^(a|b*)$',
      'x$',
      '[*]$',
      String.raw`\*$`,
      '(?:^|a)x*$',
    ];
    expect(open.filter((source) => !endsInOpenRepetition(source))).to.deep.equal([]);
    expect(closed.filter((source) => endsInOpenRepetition(source))).to.deep.equal([]);
  });
});
