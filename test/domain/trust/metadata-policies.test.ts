import { expect } from 'chai';
import fc from 'fast-check';
import { applyPolicies } from '../../../domain/trust/federation/metadata-policy.ts';

// biome-ignore lint/suspicious/noExplicitAny: policies have any member
type Json = Record<string, any>;

const applied = (value: unknown, ...operators: Json[]): unknown => {
  try {
    const policies = operators.map((one) => ({ p: one }));
    return applyPolicies(value === undefined ? {} : { p: value }, policies).p;
  } catch (error) {
    return /contradict/.test(String(error)) ? 'contradiction' : 'refused';
  }
};

const items = fc.subarray(['a', 'b', 'c', 'd']);
const some = fc.subarray(['a', 'b', 'c', 'd'], { minLength: 1 });
const sorted = (value: unknown): unknown => (Array.isArray(value) ? [...value].sort() : value);
const within = (left: string[], right: string[]): boolean => left.every((one) => right.includes(one));

describe('metadata policies', () => {
  it('property: of several superiors, each operator has the meaning of all of theirs', () => {
    fc.assert(
      fc.property(some, items, items, (value, upper, lower) => {
        const joined = [...new Set([...value, ...upper, ...lower])].sort();
        expect(sorted(applied(value, { add: upper }, { add: lower }))).to.deep.equal(joined);
        const rest = value.filter((one) => upper.includes(one) && lower.includes(one));
        const subset = applied(value, { subset_of: upper }, { subset_of: lower });
        expect(subset).to.deep.equal(rest.length > 0 ? rest : undefined);
        const isSuperset = within(upper, value) && within(lower, value);
        const superset = applied(value, { superset_of: upper }, { superset_of: lower });
        expect(superset).to.deep.equal(isSuperset ? value : 'refused');
        const common = upper.filter((one) => lower.includes(one));
        const one = applied(value[0], { one_of: upper }, { one_of: lower });
        expect(one).to.equal(
          common.length === 0 ? 'contradiction' : common.includes(value[0] ?? '') ? value[0] : 'refused',
        );
      }),
    );
  });

  it('property: a subordinate never widens what its superior allows', () => {
    fc.assert(
      fc.property(some, some, fc.option(items, { nil: undefined }), (upper, lower, value) => {
        const found = applied(value, { subset_of: upper }, { subset_of: lower, add: lower });
        if (Array.isArray(found)) expect(within(found, upper)).to.equal(true);
        else expect(found).to.be.oneOf([undefined, 'contradiction']);
      }),
    );
  });

  const cases: [string, unknown, Json[], unknown][] = [
    ['value replaces', 'x', [{ value: 'y' }], 'y'],
    ['value removes', 'x', [{ value: null }], undefined],
    ['value of one superior alone', 'x', [{ value: 'y' }, { value: 'z' }], 'contradiction'],
    ['the same value of two superiors', 'x', [{ value: { a: [1] } }, { value: { a: [1] } }], { a: [1] }],
    ['add to nothing', undefined, [{ add: ['a'] }], ['a']],
    ['add to what is no list', 'x', [{ add: ['a'] }], 'refused'],
    ['default of what is absent', undefined, [{ default: 'x' }], 'x'],
    ['default of what is present', 'y', [{ default: 'x' }], 'y'],
    ['default of two superiors', 'y', [{ default: 'x' }, { default: 'z' }], 'contradiction'],
    ['default null', undefined, [{ default: null }], 'refused'],
    ['one_of absent', undefined, [{ one_of: ['a'] }], undefined],
    ['subset_of nothing in common', ['x'], [{ subset_of: ['a'] }], undefined],
    ['subset_of nothing in common, essential', ['x'], [{ subset_of: ['a'], essential: true }], 'refused'],
    ['subset_of what is no list', 'x', [{ subset_of: ['x'] }], 'refused'],
    ['superset_of absent', undefined, [{ superset_of: ['a'] }], undefined],
    ['essential absent', undefined, [{ essential: true }], 'refused'],
    ['not essential', undefined, [{ essential: false }], undefined],
    ['essential of one superior', undefined, [{ essential: true }, { essential: false }], 'refused'],
    ['null counts as absent', null, [{ essential: true }], 'refused'],
    ['an operand of another form', ['x'], [{ add: 'x' }], 'refused'],
    ['merged operands of another form', ['x'], [{ add: 'x' }, { add: ['x'] }], 'contradiction'],
    ['operators of another form', ['x'], [[] as Json], 'contradiction'],
    ['an unknown operator', 'x', [{ regexp: 'y' }], 'x'],
    ['value with what it does not contain', 'x', [{ value: ['a'], add: ['b'] }], 'contradiction'],
    ['value null with a default', 'x', [{ value: null, default: 'y' }], 'contradiction'],
    ['value null, essential', 'x', [{ value: null, essential: true }], 'contradiction'],
    ['value that is not among one_of', 'x', [{ value: 'x', one_of: ['a'] }], 'contradiction'],
    ['value beyond subset_of', 'x', [{ value: ['x'], subset_of: ['a'] }], 'contradiction'],
    ['value short of superset_of', 'x', [{ value: ['x'], superset_of: ['a'] }], 'contradiction'],
    ['add beyond the subset_of of a superior', ['a'], [{ subset_of: ['a'] }, { add: ['b'] }], 'contradiction'],
    ['one_of with a list operator', 'a', [{ one_of: ['a'], subset_of: ['a'] }], 'contradiction'],
    ['superset_of beyond subset_of', ['a'], [{ superset_of: ['a', 'b'], subset_of: ['a'] }], 'contradiction'],
    ['default beyond one_of', undefined, [{ default: 'x', one_of: ['a'] }], 'contradiction'],
    ['default within one_of', undefined, [{ default: 'a', one_of: ['a'] }], 'a'],
  ];
  for (const [name, value, operators, expected] of cases)
    it(name, () => {
      expect(applied(value, ...operators)).to.deep.equal(expected);
    });

  it('a parameter without a policy stays, and no name is special', () => {
    const metadata = JSON.parse('{"__proto__":{"a":1},"q":1}');
    const policy = JSON.parse('{"__proto__":{"essential":true},"toString":{"default":"x"}}');
    expect(JSON.stringify(applyPolicies(metadata, [policy]))).to.equal('{"__proto__":{"a":1},"q":1,"toString":"x"}');
  });
});
