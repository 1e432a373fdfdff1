/**
 * Refuses words that hide who does what, in comments and texts of the code, in documents and in Markdown: plain
 * technical English names the actor (caller, wallet, issuer, verifier, operator, instance, attacker) and the action.
 * `node scripts/check-language.mjs [path...]` looks at everything under version control, or at these paths.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** What is refused, and what to write instead. */
const REFUSED = [
  [/\b(?:somebody|someone|anybody|anyone|nobody|everybody|everyone|no one|whoever|whomever)\b/gi, 'name the actor'],
  [/\b(?:tell|tells|telling|told)\b/gi, 'say report, return, name, log or state'],
  [/\bheld against\b/gi, 'say compared with or matched against'],
  [/\bcomes? to be\b|\bcame to be\b/gi, 'say is created'],
  [/\bas (?:it|they) came\b/gi, 'say unchanged or as received'],
  [/\bgo(?:es)? by (?:its|the|their)\b/gi, 'say is identified by'],
  [/\bput aside\b|\bputs aside\b/gi, 'say marked as deleted'],
  [/\bwhatever\b/gi, 'say any, or regardless of'],
  [/\bas good as\b|\bno good\b/gi, 'say what holds'],
  [/\bhis\b|\bhim\b/gi, 'machines have no gender'],
  [/\bis all it takes\b/gi, 'say add a row to add one'],
];

const SKIPPED = /^(?:package-lock\.json|openapi\/types|LICENSE|CHANGELOG)/;
const CODE = /\.(?:tsx?|mjs|cjs)$/;
const PROSE = /\.(?:md|yaml)$|^openapi\/config\/.*\.json$|\.conf$/;

/** The comments and texts of a source file, each with its line. */
function* texts(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const seen = new Set();
  const comments = (node) => [
    ...(ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []),
    ...(ts.getTrailingCommentRanges(source, node.getEnd()) ?? []),
  ];
  const nodes = [tree];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    for (const { pos, end } of comments(node)) {
      if (!seen.has(pos)) yield { text: source.slice(pos, end), pos };
      seen.add(pos);
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node))
      yield { text: node.text, pos: node.getStart() };
    nodes.push(...node.getChildren());
  }
}

const proseOf = (file, source) => (PROSE.test(file) ? [{ text: source, pos: 0 }] : texts(file, source));

const lineOf = (source, position) => source.slice(0, position).split('\n').length;

/** Whether a refused word is anywhere in a file, read as it is or with escapes as breaks between words: most need no parser. */
function mayHaveOne(source) {
  const both = source + source.replaceAll(/\\[a-z]/g, ' ');
  return REFUSED.some(([pattern]) => both.search(pattern) >= 0);
}

function findings(file) {
  const source = readFileSync(file, 'utf8');
  if (!mayHaveOne(source)) return [];
  const found = [];
  for (const { text, pos } of proseOf(file, source))
    for (const [pattern, instead] of REFUSED)
      for (const { 0: word, index } of text.matchAll(pattern))
        found.push(`${file}:${lineOf(source, pos + index)}: "${word}": ${instead}`);
  return found;
}

const listed = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', ...process.argv.slice(2)],
  {
    encoding: 'utf8',
  },
);
const files = listed
  .split('\n')
  .filter((file) => (CODE.test(file) || PROSE.test(file)) && !SKIPPED.test(file) && existsSync(file));
const all = files.filter((file) => file !== 'scripts/check-language.mjs').flatMap(findings);
for (const line of all) console.error(line);
if (all.length > 0) console.error(`${all.length} words to replace`);
process.exitCode = all.length > 0 ? 1 : 0;
