import { expect } from 'chai';
import fc from 'fast-check';
import { childOf, isTarget, isTargetPattern, nameOf, parentOf } from '../../../domain/tenancy/access/targets.ts';

const segment = fc.stringMatching(/^[A-Za-z0-9_-]{1,128}$/);

describe('targets', () => {
  it('are one to sixteen names of at most 128 plain characters, at most 1024 in all', () => {
    const right = ['a', 'acme.t1.kms1', 'A_-9.b', 'a'.repeat(128), Array(16).fill('a').join('.')];
    const wrong = ['', '.', 'a.', '.a', 'a..b', 'a b', 'é', 'a/b', '*', 'a.*', 'a:b', 'a%2eb', 'a\n', 'a'.repeat(129)];
    const long = [Array(17).fill('a').join('.'), Array(16).fill('a'.repeat(100)).join('.')];
    for (const text of right) expect(isTarget(text), text).to.equal(true);
    for (const text of [...wrong, ...long]) expect(isTarget(text), text).to.equal(false);
  });

  it('may hold * for any segment where they are patterns, and only there', () => {
    for (const text of ['*', 'acme.*', '*.t1.*']) {
      expect(isTargetPattern(text)).to.equal(true);
      expect(isTarget(text)).to.equal(false);
    }
    for (const text of ['**', 'a*', '', 'a..*']) expect(isTargetPattern(text)).to.equal(false);
  });

  it('a child is its parent and its name', () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 5 }), segment, (above, name) => {
        const parent = above.join('.');
        const target = childOf(parent, name);
        expect([parentOf(target), nameOf(target)]).to.deep.equal([parent, name]);
      }),
    );
  });
});
