import { expect } from 'chai';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { compilePattern } from '../../adapters/json/linear-pattern.ts';
import { translatePattern } from '../../adapters/json/pattern-syntax.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';

const reasonOf = (pattern: string): string => {
  try {
    compilePattern(pattern);
  } catch (error) {
    if (!isDomainError(error, 'BadRequest')) throw error;
    return error.message;
  }
  return 'accepted';
};

const isWellFormed = (pattern: string, flags: string): boolean => {
  try {
    return new RegExp(pattern, flags).flags === flags;
  } catch {
    return false;
  }
};

/** Characters on the edges of the sets and escapes of ECMAScript. */
const EDGES = [
  ...'abcXYZ09_-./ \t\n\r\v\f\b\0"\'\\^$()[]{}|?*+,:;@#é',
  ...['\u0085', '\u00a0', '\u1680', '\u180e', '\u2000', '\u200a', '\u200b', '\u2028', '\u2029', '\u202f', '\u205f'],
  ...['\u3000', '\ufeff', '\uffff', '\u212a', '\u017f', 'ß', 'Σ', '\ud800', '\udfff', '😀', '\u{10ffff}'],
];

const characters = fc.constantFrom(...EDGES);
const texts = fc.array(characters, { maxLength: 8 }).map((parts) => parts.join(''));

const escapes = fc.constantFrom(
  ...[
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\t',
    '\\n',
    '\\r',
    '\\v',
    '\\f',
    '\\0',
    '\\cA',
    '\\cj',
    '\\x41',
    '\\x09',
  ],
  ...[
    '\\u0041',
    '\\u2028',
    '\\ud83d\\ude00',
    '\\u{1F600}',
    '\\u{61}',
    '\\/',
    '\\.',
    '\\*',
    '\\$',
    '\\^',
    '\\[',
    '\\]',
    '\\{',
  ],
  ...['\\}', '\\(', '\\)', '\\|', '\\?', '\\+', '\\\\'],
  ...[
    '\\p{L}',
    '\\P{Lu}',
    '\\p{Nd}',
    '\\p{Letter}',
    '\\p{Script=Greek}',
    '\\p{gc=Zs}',
    '\\p{Any}',
    '\\p{ASCII}',
    '\\P{Assigned}',
  ],
);
const plain = fc.constantFrom(...'abcXYZ09_-/ "\'é,:;@#\t\n', '😀', '\u2028');
const members = fc.constantFrom(
  ...'abcXYZ09_./ (){}|?*+,$',
  '\\b',
  '\\-',
  '😀',
  '\u2029',
  'a-f',
  '0-9',
  '\\x00-\\x1f',
  'À-ÿ',
  '😀-😎',
);
const classes = fc
  .tuple(fc.constantFrom('', '^'), fc.array(fc.oneof(members, escapes), { maxLength: 4 }), fc.constantFrom('', '-'))
  .map(([sign, parts, hyphen]) => `[${sign}${parts.join('')}${hyphen}]`);
const quantifier = fc.constantFrom(
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '{2}',
  '{0}',
  '{1,}',
  '{0,3}',
  '*?',
  '+?',
  '??',
  '{1,2}?',
);

const patterns = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  pattern: fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.tuple(tie('atom'), quantifier).map((parts) => parts.join('')) },
        { weight: 2, arbitrary: fc.constantFrom('^', '$', '\\b', '\\B', '|') },
      ),
      { maxLength: 5 },
    )
    .map((parts) => parts.join('')),
  atom: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    plain,
    fc.constant('.'),
    escapes,
    classes,
    fc.tuple(fc.constantFrom('', '?:'), tie('pattern')).map(([kind, inner]) => `(${kind}${inner})`),
  ),
})).pattern;

/**
 * ECMAScript matches with the flag `u` by code point (ECMA-262 22.2.7.2). V8 also searches between the two halves of a
 * surrogate pair, where `\\B` then holds: each place where a match may begin is tried alone.
 */
function matchesByCodePoint(pattern: string, text: string): boolean {
  const sticky = new RegExp(pattern, 'uy');
  let at = 0;
  return ['', ...text].some((character) => {
    at += character.length;
    sticky.lastIndex = at;
    return sticky.test(text);
  });
}

describe('patterns as RE2 runs them', () => {
  it('hold no place between the halves of a surrogate pair', () => {
    expect(compilePattern('\\B').test('a😀a')).to.equal(false);
    expect(compilePattern('\\B').test('a😀😀a')).to.equal(true);
  });

  it('match exactly the texts that RegExp matches with the flag u', () => {
    fc.assert(
      fc.property(patterns, fc.array(texts, { minLength: 1, maxLength: 8 }), (pattern, some) => {
        fc.pre(isWellFormed(pattern, 'u'));
        const compiled = compilePattern(pattern);
        for (const text of [...some, pattern.slice(0, 8)])
          expect(compiled.test(text), JSON.stringify([pattern, text])).to.equal(matchesByCodePoint(pattern, text));
      }),
      { numRuns: 1500 },
    );
  });

  it('each set and escape matches the same characters', () => {
    const sets = [
      '.',
      '\\d',
      '\\D',
      '\\w',
      '\\W',
      '\\s',
      '\\S',
      '[^]',
      '[\\b]',
      '[^\\s]',
      '[\\S]',
      '[\\W\\d]',
      '\\p{L}',
      '\\P{L}',
      '\\p{Script=Latin}',
    ];
    for (const pattern of sets) {
      const compiled = compilePattern(`^${pattern}$`);
      const native = new RegExp(`^${pattern}$`, 'u');
      const different: number[] = [];
      for (let code = 0; code <= 0x10ffff; code += code < 0x3100 || (code > 0xd700 && code < 0xe100) ? 1 : 7) {
        const text = String.fromCodePoint(code);
        if (compiled.test(text) !== native.test(text)) different.push(code);
      }
      expect(different, pattern).to.deep.equal([]);
    }
  });

  it('those that are valid only without the flag u match as without it', () => {
    const loose = fc.constantFrom(
      '[\\w-.]',
      '[a-\\d]',
      '[\\s-\\w]',
      '\\-',
      '\\@',
      '\\_',
      '\\"',
      '\\ ',
      'a{',
      'a{,3}',
      '}',
      ']',
      'x{a}',
      '{',
    );
    const parts = fc.array(
      fc.tuple(
        fc.oneof(
          loose,
          plain.filter((one) => one !== '😀'),
        ),
        fc.constantFrom('', '?', '*'),
      ),
      { minLength: 1, maxLength: 4 },
    );
    const bmp = texts.filter((text) => ![...text].some((one) => one.length > 1));
    fc.assert(
      fc.property(parts, fc.array(bmp, { minLength: 1, maxLength: 8 }), (list, some) => {
        const pattern = list.map((part) => part.join('')).join('');
        fc.pre(!isWellFormed(pattern, 'u') && isWellFormed(pattern, ''));
        const compiled = compilePattern(pattern);
        const native = new RegExp(pattern);
        for (const text of [...some, 'a{', 'a{,3}', '-', '.'])
          expect(compiled.test(text), JSON.stringify([pattern, text])).to.equal(native.test(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('the message names the construct that is not supported', () => {
    const cases: [string, string][] = [
      ['a(?=b)', 'a look-around'],
      ['a(?!b)', 'a look-around'],
      ['(?<=a)b', 'a look-around'],
      ['(?<!a)b', 'a look-around'],
      ['(a)\\1', 'a back-reference'],
      ['(?<n>a)\\k<n>', 'a back-reference'],
      ['\\1', 'a back-reference'],
      ['\\ud83d', 'half of a surrogate pair'],
      ['[\\ud800-\\udbff]', 'half of a surrogate pair'],
      ['\\u{d83d}', 'half of a surrogate pair'],
      ['\ud83d', 'half of a surrogate pair'],
      ['\\p{Alphabetic}', 'the property \\p{Alphabetic}'],
      ['[\\p{scx=Greek}]', 'the property \\p{scx=Greek}'],
      ['\\p{Nothing}', 'the property \\p{Nothing}'],
      ['\\a', 'the escape \\a'],
      ['\\A', 'the escape \\A'],
      ['\\z', 'the escape \\z'],
      ['\\Qx\\E', 'the escape \\Q'],
      ['\\u61', 'the escape \\u'],
      ['\\x4', 'the escape \\x'],
      ['\\c1', 'the escape \\c'],
      ['\\07', 'the escape \\0'],
      ['a{1001}', 'a repetition of more than 1000'],
      ['a{2,1001}', 'a repetition of more than 1000'],
    ];
    for (const [pattern, construct] of cases)
      expect(reasonOf(pattern), pattern).to.equal(`the pattern "${pattern}" uses ${construct}, which is not supported`);
    for (const pattern of ['(', 'a**', '[b-a]', '(?P<n>a)', '\\', '*'])
      expect(reasonOf(pattern), pattern).to.equal(`the pattern "${pattern}" is not a valid regular expression`);
    expect(reasonOf('(?i:a)')).to.match(/uses modifiers, which is not supported|is not a valid regular expression/);
  });

  it('the syntax of RE2 that ECMAScript does not have means what it means in ECMAScript', () => {
    expect(compilePattern('[[:alpha:]]').test(':]')).to.equal(true);
    expect(compilePattern('[[:alpha:]]').test('b')).to.equal(false);
    expect(compilePattern('[]a]').test('a')).to.equal(false);
    expect(compilePattern('a{,3}').test('a')).to.equal(false);
    expect(compilePattern('a$').test('a\n')).to.equal(false);
    expect(compilePattern('^a').test('\na')).to.equal(false);
    expect(compilePattern('(?<year>[0-9]{4})').test('2026')).to.equal(true);
  });

  it('instructions never exceed the size that bounds them', () => {
    fc.assert(
      fc.property(patterns, (pattern) => {
        fc.pre(isWellFormed(pattern, 'u'));
        const { source, size } = translatePattern(pattern, { hasUnicodeFlag: true });
        expect(RE2JS.compile(source).programSize(), pattern).to.be.at.most(size);
      }),
    );
  });
});
