import { expect } from 'chai';
import fc from 'fast-check';
import { faultIn, parseJson } from '../../../domain/foundation/strict-json.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('JSON that is broken', () => {
  const written: [text: string, line: number, column: number][] = [
    ['', 1, 1],
    ['abc', 1, 1],
    ['{"a": 1,}', 1, 9],
    ['{"a" 1}', 1, 6],
    ['{\n  "a": tru\n}', 2, 8],
    ['[1,\n2', 2, 2],
    ['[1] 2', 1, 5],
    ['[1}', 1, 3],
    ['[01]', 1, 3],
    ['{"a": "a\nb"}', 1, 7],
    ['{"a": "\\x"}', 1, 7],
    ['["\u0085", \u0085]', 1, 7],
  ];
  for (const [text, line, column] of written)
    it(`${JSON.stringify(text)} breaks at line ${line}, column ${column}`, () => {
      expect(faultIn(text)).to.deep.equal({ line, column });
    });

  it('an error names the place and nothing of the text', () => {
    expect(() => parseJson('{"password": "secret"\n "next": 1}')).to.throw(
      /^The text is not valid JSON: line 2, column 2$/,
    );
  });

  it('breaks at a sign that no JSON has there, wherever that is put between tokens', () => {
    const text = fc.json({ maxDepth: 4 });
    fc.assert(
      fc.property(text, fc.nat(), fc.constantFrom('?', '§', "'"), (json, where, sign) => {
        const at = where % (json.length + 1);
        const broken = `${json.slice(0, at)}${sign}${json.slice(at)}`;
        fc.pre(!isJson(broken));
        const { line, column } = faultIn(broken);
        expect(line).to.equal(1);
        // It is the sign, or the number, the word or the string that it splits.
        expect(column - 1).to.be.at.most(at);
        expect(broken.slice(column - 1, at)).to.match(/^(?:[-\w.+]*|".*)$/s);
      }),
    );
  });

  it('breaks at the end where nothing but the rest is missing', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (list) => {
        const text = JSON.stringify(list);
        expect(faultIn(text.slice(0, -1))).to.deep.equal({ line: 1, column: text.length });
      }),
    );
  });

  it('a text of a mebibyte is read once', () => {
    const long = `["${'a'.repeat(2 ** 20)}", ${'[1],'.repeat(2 ** 16)} x`;
    const { column } = faultIn(long);
    expect(column).to.equal(long.length);
  });
});
