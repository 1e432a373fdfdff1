import { expect } from 'chai';
import fc from 'fast-check';
import { Rfc9535Paths } from '../../adapters/json/json-paths.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';

const paths = new Rfc9535Paths();

function refusal(path: string): string {
  try {
    paths.compile(path);
  } catch (error) {
    if (!isDomainError(error, 'BadRequest')) throw error;
    return error.message;
  }
  return 'accepted';
}

describe('JSONPaths', () => {
  it('select the nodes that RFC 9535 specifies', () => {
    const document = { a: [{ b: 1 }, { b: 2, c: [3] }], d: null, 'e f': { g: 'x' } };
    const cases: [string, unknown[]][] = [
      ['$', [document]],
      ['$.a[0].b', [1]],
      ['$.a[-1].b', [2]],
      ["$['e f'].g", ['x']],
      ['$.d', [null]],
      ['$.none', []],
      ['$.a[*].b', [1, 2]],
      ['$.a[0:1].b', [1]],
      ['$..b', [1, 2]],
      ['$.a[?@.b == 2].c[0]', [3]],
      ['$.a[?count(@.*) > 1].b', [2]],
      ['$.a[?@.b == $.a[0].b].b', [1]],
    ];
    for (const [path, found] of cases) expect(paths.compile(path)(document), path).to.deep.equal(found);
  });

  it('inherited names and characters of texts are not members', () => {
    for (const path of ['$.toString', '$.constructor', '$.__proto__'])
      expect(paths.compile(path)({})).to.deep.equal([]);
    expect(paths.compile('$.length')('abc')).to.deep.equal([]);
    expect(paths.compile('$[0]')('abc')).to.deep.equal([]);
  });

  it('property: any text is a path or refused, and a path can be applied to any document', () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^\$[.[\]a-z0-9*?@'":,()=<>&|! ]{0,30}$/));
    fc.assert(
      fc.property(texts, fc.jsonValue(), (text, document) => {
        if (refusal(text) === 'accepted') expect(paths.compile(text)(document)).to.be.an('array');
      }),
    );
  });

  it('paths with more than linear cost are refused', () => {
    const costly = [
      '$..a..b',
      `$${'[0,0]'.repeat(7)}`,
      `$${'[*,*]'.repeat(20)}`,
      '$[?@..x]',
      '$[?$.*]',
      '$[?@.a[?@.b]]',
      "$[?search(@, '(a+)+$')]",
      '$[?match(@.a, @.b)]',
      `$.${'a'.repeat(600)}`,
      `$[?${'('.repeat(400)}`,
    ];
    for (const path of costly) expect(refusal(path), path.slice(0, 40)).not.to.equal('accepted');
  });

  it('compiled paths are cached', () => {
    expect(paths.compile('$.kept')).to.equal(paths.compile('$.kept'));
  });
});
