import { expect } from 'chai';
import fc from 'fast-check';
import { HoconError } from '../../adapters/config/errors.ts';
import { parseHocon } from '../../adapters/config/hocon.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

const refusal = async (text: string, environment: Record<string, string> = {}): Promise<HoconError> => {
  try {
    await parseHocon(text, environment);
  } catch (error) {
    if (error instanceof HoconError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
};

describe('HOCON', () => {
  it('reads comments, unquoted words one per line, missing separators and trailing commas', async () => {
    const text = `
      # a comment
      enabledFeatures = [
        trusted-ca  // why
        other       # and why
      ]
      x5c { replay: once, autoRegister = false, }
      "dotted.key" = 10s
      a.b.c = 1
      list = [1, 2.5, -3e2, null, true]`;
    expect(await parseHocon(text, {})).to.deep.equal({
      enabledFeatures: ['trusted-ca', 'other'],
      x5c: { replay: 'once', autoRegister: false },
      'dotted.key': '10s',
      a: { b: { c: 1 } },
      list: [1, 2.5, -300, null, true],
    });
  });

  it('merges objects with the same key; of two values the last one is used', async () => {
    expect(await parseHocon('a { b = 1, c = 1 }\na { c = 2 }\nd = 1\nd = 2', {})).to.deep.equal({
      a: { b: 1, c: 2 },
      d: 2,
    });
  });

  it('keeps the line breaks of PEM text, escaped or in triple quotes', async () => {
    const pem = '-----BEGIN CERTIFICATE-----\nMIIB+/=\n-----END CERTIFICATE-----\n';
    expect(await parseHocon(`c = [ ${JSON.stringify(pem)} ]`, {})).to.deep.equal({ c: [pem] });
    expect(await parseHocon(`c = [ """${pem}""" ]`, {})).to.deep.equal({ c: [pem] });
  });

  it('takes variables from the given environment only, as text, and optional ones only when they are set', async () => {
    const text = `a = \${A}\nb = fallback\nb = \${?B}\nc = "http://"\${A}"/x"\nd = [ \${?NONE}, \${A} ]\ne = \${?PATH}`;
    expect(await parseHocon(text, { A: '007' })).to.deep.equal({
      a: '007',
      b: 'fallback',
      c: 'http://007/x',
      d: ['007'],
    });
  });

  it('names the line and the variable that is not set', async () => {
    expect((await refusal(`x = 1\ny = \${MISSING}`)).message).to.equal(
      'line 2: the environment variable MISSING is not set',
    );
  });

  const refused: [string, string][] = [
    ['an include', 'include "other.conf"'],
    ['an include by URL', 'a = 1\ninclude url("http://127.0.0.1:1/x")'],
    ['an include as a value', 'a = include "other.conf"'],
    ['a require', 'require "x"'],
    ['an include by its short form', '@"other.conf"'],
    ['appending', 'a += 1'],
    ['overwriting', 'a := 1'],
    ['a transform', 'a = "x" | eval { expression: "process.exit(1)" }'],
    ['a reference to another field', `b = 1\na = \${b}`],
    ['references in a circle', `b = 1\na = \${?b}1\nb = \${?a}2`],
    ['a reference by path', `a = \${x.y}`],
    ['a computed reference', `a = \${\${X}}`],
    ['a computed key', `\${X} = 1`],
    ['a number HOCON would read as text', 'a = 007'],
    ['a hexadecimal number', 'a = 0x10'],
    ['an unquoted URL', 'a = http://example.org'],
    ['a list at the top', '[1]'],
    ['a closing bracket too many', 'a = 1 }'],
    ['a closing bracket too few', 'a = [1'],
    ['brackets that do not match', 'a = [1}'],
    ['an unfinished string', 'a = "x'],
    ['an unknown escape', 'a = "\\q"'],
    ['nesting deeper than 64', `a = ${'['.repeat(65)}${']'.repeat(65)}`],
    ['a string that is too long', `a = "${'x'.repeat(20_000)}"`],
    ['a text over 1 MiB', `# ${'x'.repeat(1024 * 1024)}`],
  ];
  for (const [what, text] of refused)
    it(`refuses ${what}`, async () => {
      await refusal(text, { X: 'x' });
    });

  const unclosed: [string, string, string][] = [
    [
      'a list, with fields behind it',
      'a = 1\nlist = [ x, y\nother = z\nmore = []\n',
      'line 2: the bracket "[" is not closed with "]"',
    ],
    [
      'an object, with fields behind it',
      'x5c {\n  replay = once\n\ntokenLifetimeSeconds = 60\n',
      'line 1: the bracket "{" is not closed with "}"',
    ],
    [
      'an object in a list',
      'tokens = [\n  { token = a\n]\n',
      'line 2: the bracket "{" is not closed with "}" before the "]" in line 3',
    ],
    [
      'a list in an object',
      'a {\n  b = [ 1\n}\n',
      'line 2: the bracket "[" is not closed with "]" before the "}" in line 3',
    ],
    ['a substitution', `a = \${A\nb = 1\n`, `line 1: the bracket "\${" is not closed with "}"`],
    ['a string', 'a = 1\nb = "x\n', 'line 2: a string is not closed'],
  ];
  for (const [what, text, message] of unclosed)
    it(`names what is not closed and where it begins: ${what}`, async () => {
      expect((await refusal(text)).message).to.equal(message);
    });

  it('names a closing bracket without an opening one', async () => {
    expect((await refusal('a = 1\nb = 2 }')).message).to.equal('line 2: "}" closes a bracket that was not opened');
  });

  const dangerous = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    '*',
    '{process.exit(1)}',
    '*{process.exit(1)}',
  ];
  for (const key of dangerous)
    it(`refuses the key ${key} in every notation`, async () => {
      const quoted = JSON.stringify(key);
      const halves = `${JSON.stringify(key.slice(0, 1))}${JSON.stringify(key.slice(1))}`;
      for (const path of [quoted, halves, `a.${quoted}`]) {
        for (const text of [
          `${path} { polluted = true }`,
          `${path}\n = true`,
          `a { ${path} : [ { polluted = true } ] }`,
        ])
          expect((await refusal(text)).message).to.match(/^line 1: the key .* is not allowed$/);
      }
      expect({}).to.not.have.property('polluted');
    });

  it('never repeats the text in a message, since it may be a secret', async () => {
    for (const text of [
      'a = hunter2 | x',
      'password = "hunter2',
      'a = hunter2 }',
      'a = hunter2 : x',
      '[ hunter2 ] }',
    ]) {
      expect((await refusal(text)).message).to.not.include('hunter2');
    }
  });

  const safeKey = fc
    .string()
    .filter((key) => !(key.trim() in {}) && key !== 'prototype' && !/^\*?\{|^\*$/.test(key.trim()));
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      finite,
      fc.string(),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('json'), { maxLength: 5 }),
    object: fc.dictionary(safeKey, tie('json'), { maxKeys: 5 }),
  }));

  it('property: a JSON object has the same meaning in HOCON and in JSON, with any white space', async () => {
    const indented = fc.tuple(fc.dictionary(safeKey, json, { maxKeys: 5 }), fc.constantFrom(undefined, 2, '\t'));
    await fc.assert(
      fc.asyncProperty(indented, async ([document, space]) => {
        const text = JSON.stringify(document, null, space);
        expect(await parseHocon(text, {})).to.deep.equal(JSON.parse(text));
      }),
      { numRuns: 300 },
    );
  });

  it('property: a missing closing bracket is named, with any text after it', async () => {
    const objects = fc.tuple(fc.dictionary(safeKey, json, { minKeys: 1, maxKeys: 5 }), fc.nat());
    await fc.assert(
      fc.asyncProperty(objects, async ([document, pick]) => {
        const lines = JSON.stringify(document, null, 2).split('\n');
        const closing = lines.flatMap((line, at) => (/^ *[\]}],?$/.test(line) ? [at] : []));
        const without = lines.toSpliced(closing[pick % closing.length] ?? 0, 1).join('\n');
        expect((await refusal(without)).message).to.match(/^line \d+: the bracket "[[{]" is not closed with "[\]}]"/);
      }),
    );
  });

  it('property: any text is either parsed or refused with a HoconError', async () => {
    const piece = fc.constantFrom(
      'a',
      '=',
      ':',
      '{',
      '}',
      '[',
      ']',
      ',',
      '\n',
      '"',
      '""',
      '"""',
      '${',
      `\${?`,
      'A',
      '|',
      '@',
      '+=',
      '.',
      ' ',
      '#',
      '1',
      '\\',
      'include',
      '__proto__',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 24 }), async (pieces) => {
        await parseHocon(pieces.join(''), { A: 'x' }).catch((error) => expect(error).to.be.instanceOf(HoconError));
        expect(Object.keys(Object.prototype)).to.deep.equal([]);
      }),
      { numRuns: 2000 },
    );
  });
});
