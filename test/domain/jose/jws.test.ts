import { expect } from 'chai';
import fc from 'fast-check';
import { base64url } from '../../../domain/foundation/bytes.ts';
import { MAX_JSON_VALUES, parseJson } from '../../../domain/foundation/strict-json.ts';
import { parseJws } from '../../../domain/jose/jws.ts';

const jws = (header: string, payload = '{}', signature = 'AA'): string =>
  `${base64url(header)}.${base64url(payload)}.${signature}`;

describe('compact JWS', () => {
  it('takes a canonical token apart', () => {
    expect(parseJws(jws('{"alg":"RS256"}', '{"a":1}'))).to.deep.include({
      header: { alg: 'RS256' },
      payload: { a: 1 },
    });
  });

  const refused: Record<string, string> = {
    'two parts': 'e30.e30',
    'four parts': 'e30.e30.AA.AA',
    'an empty header': '.e30.AA',
    'a header that is no object': jws('[]'),
    'a payload that is no object': jws('{}', '1'),
    'a duplicate header member': jws('{"alg":"RS256","alg":"none"}'),
    'a duplicate member hidden by an escape': jws('{"alg":"RS256","\\u0061lg":"none"}'),
    'a crit header': jws('{"alg":"RS256","crit":["exp"]}'),
    'a b64 header': jws('{"alg":"RS256","b64":false}'),
    'a __proto__ member': jws('{"__proto__":{"alg":"none"}}'),
    padding: `${jws('{}')}=`,
    'stray bits in the signature': jws('{}', '{}', 'AB'),
    'the other base64 alphabet': jws('{}', '{}', '+/+/'),
    'white space': `${jws('{}')}\n`,
  };
  for (const [name, token] of Object.entries(refused)) {
    it(`refuses ${name}`, () => {
      expect(() => parseJws(token))
        .to.throw()
        .with.property('code', 'BadRequest');
    });
  }

  it('any one-character change of a token is refused or is another token', () => {
    const token = jws('{"alg":"RS256","typ":"JWT"}', '{"iss":"a","sub":"b"}', base64url('signature'));
    const original = parseJws(token);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
        if (token[at] === character) return true;
        try {
          const changed = parseJws(token.slice(0, at) + character + token.slice(at + 1));
          return JSON.stringify(changed) !== JSON.stringify(original);
        } catch {
          return true;
        }
      }),
    );
  });
});

describe('strict JSON', () => {
  it('gives what JSON.parse gives for every value without __proto__', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        fc.pre(!text.includes('__proto__'));
        expect(parseJson(text)).to.deep.equal(JSON.parse(text));
      }),
    );
  });

  it('refuses duplicates at any depth, and nesting deeper than 64', () => {
    expect(() => parseJson('{"a":{"b":1,"c":[{"d":1,"d":2}]}}')).to.throw('appears twice');
    expect(parseJson('[{"a":1},{"a":2}]')).to.deep.equal([{ a: 1 }, { a: 2 }]);
    expect(() => parseJson(`${'['.repeat(65)}${']'.repeat(65)}`)).to.throw('nested');
    expect(parseJson(`${'['.repeat(64)}${']'.repeat(64)}`)).to.be.an('array');
  });

  it('refuses more than 20,000 values and names of members, in a token too, but counts no separators in texts', () => {
    const members = (count: number): string =>
      `{${Array.from({ length: count }, (_, n) => `"m${n}":"a,b:[{"`).join(',')}}`;
    const [most, more] = [members(MAX_JSON_VALUES / 2 - 1), members(MAX_JSON_VALUES / 2)];
    expect(parseJws(jws(most, most)).payload).to.deep.equal(JSON.parse(most));
    for (const text of [more, `[${'[],'.repeat(MAX_JSON_VALUES)}[]]`, '['.repeat(2 * MAX_JSON_VALUES + 1)])
      expect(() => parseJson(text)).to.throw('at most 20000 values and names');
    expect(() => parseJws(jws(more))).to.throw('the header is not acceptable JSON: JSON may have at most 20000 values');
    expect(() => parseJws(jws('{}', more))).to.throw('the payload is not acceptable JSON: JSON may have at most 20000');
    expect(parseJson(more, MAX_JSON_VALUES + 1)).to.deep.equal(JSON.parse(more));
  });
});
