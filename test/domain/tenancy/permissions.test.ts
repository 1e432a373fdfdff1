import { expect } from 'chai';
import fc from 'fast-check';
import {
  allows,
  canDelegate,
  canSee,
  decide,
  type Grant,
  hiddenBelow,
  type Rights,
  visibleBelow,
} from '../../../domain/tenancy/access/permissions.ts';
import { childOf, parentOf } from '../../../domain/tenancy/access/targets.ts';

const name = fc.constantFrom('a', 'b', 'c');
const target = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('.'));
const pattern = fc.array(fc.oneof(name, fc.constant('*')), { minLength: 1, maxLength: 4 }).map((it) => it.join('.'));
const action = fc.constantFrom('resource-view' as const, 'list-keys' as const, 'key-create' as const);
const grant: fc.Arbitrary<Grant> = fc.record({
  target: pattern,
  action: fc.oneof({ weight: 2, arbitrary: action }, { weight: 1, arbitrary: fc.constantFrom('all', 'ALL') }),
  operation: fc.constantFrom('ADD' as const, 'ADD' as const, 'REMOVE' as const),
});
const grants = fc.array(grant, { maxLength: 8 });
const rightsOf = (given: Grant[]): Rights => ({ everything: false, grants: given });

/** The rule once more, by regular expressions. */
function oracle(given: Grant[], wanted: string, at: string): boolean {
  const reaches = (one: Grant): boolean => {
    const expression = one.target
      .split('.')
      .map((part) => (part === '*' ? '[^.]+' : part))
      .join('\\.');
    return new RegExp(`^${expression}(\\.|$)`).test(at) && ['all', wanted].includes(one.action.toLowerCase());
  };
  const here = given.filter(reaches);
  return here.length > 0 && here.every(({ operation }) => operation === 'ADD');
}

describe('permissions', () => {
  it('are decided by the first denial that reaches the target, or else by the first grant', () => {
    fc.assert(
      fc.property(grants, action, target, (given, wanted, at) => {
        const reaching = given.filter((one) => oracle([{ ...one, operation: 'ADD' }], wanted, at));
        const denial = reaching.find(({ operation }) => operation === 'REMOVE');
        const { isAllowed, decidedBy } = decide(given, wanted, at);
        expect(decidedBy).to.equal(denial ?? reaching[0]);
        expect(isAllowed).to.equal(oracle(given, wanted, at));
      }),
      { numRuns: 2000 },
    );
  });

  it('are what the grants that reach the target say, and nothing without one', () => {
    fc.assert(
      fc.property(grants, action, target, (given, wanted, at) => {
        expect(allows(rightsOf(given), wanted, at)).to.equal(oracle(given, wanted, at));
        expect(allows(rightsOf([]), wanted, at)).to.equal(false);
        expect(allows({ everything: true }, wanted, at)).to.equal(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('reach the whole subtree: what is granted and nowhere denied is allowed everywhere below', () => {
    fc.assert(
      fc.property(grants, action, target, name, (given, wanted, at, below) => {
        const additions = given.filter(({ operation }) => operation === 'ADD');
        if (allows(rightsOf(additions), wanted, at))
          expect(allows(rightsOf(additions), wanted, childOf(at, below))).to.equal(true);
      }),
    );
  });

  it('a denial wins over any grants, however specific, in any order', () => {
    fc.assert(
      fc.property(grants, action, target, fc.nat(8), (given, wanted, at, where) => {
        const denial: Grant = { target: at.split('.')[0] ?? '', action: wanted, operation: 'REMOVE' };
        expect(allows(rightsOf(given.toSpliced(where, 0, denial)), wanted, at)).to.equal(false);
      }),
    );
  });

  it('grow with every grant and shrink with every denial', () => {
    fc.assert(
      fc.property(grants, grant, action, target, (given, more, wanted, at) => {
        const [before, after] = [allows(rightsOf(given), wanted, at), allows(rightsOf([...given, more]), wanted, at)];
        if (more.operation === 'ADD') expect(!before || after).to.equal(true);
        else expect(before || !after).to.equal(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('hide from a list exactly the children at which its action is not allowed', () => {
    fc.assert(
      fc.property(grants, action, target, name, (given, wanted, parent, child) => {
        const rights = rightsOf(given);
        if (!allows(rights, wanted, parent)) return;
        const hidden = hiddenBelow(rights, wanted, parent);
        const shown = hidden !== 'all' && !hidden.has(child);
        expect(shown).to.equal(allows(rights, wanted, childOf(parent, child)));
      }),
      { numRuns: 3000 },
    );
  });

  it('the visible children of a target, and the organizations, are those that the caller can see', () => {
    fc.assert(
      fc.property(grants, fc.oneof(target, fc.constant('')), name, (given, parent, child) => {
        const rights = rightsOf(given);
        const visible = visibleBelow(rights, parent);
        const isShown =
          'named' in visible ? visible.named.includes(child) : visible.hidden !== 'all' && !visible.hidden.has(child);
        expect(isShown).to.equal(canSee(rights, childOf(parent, child)));
      }),
      { numRuns: 3000 },
    );
    expect(visibleBelow({ everything: true }, 'a')).to.deep.equal({ hidden: new Set() });
  });

  it('who may do something at a target sees it and everything on the way to it, unless all is denied there', () => {
    fc.assert(
      fc.property(grants, action, target, (given, wanted, at) => {
        const rights = rightsOf(given);
        if (!allows(rights, wanted, at)) return;
        expect(canSee(rights, at)).to.equal(true);
        const additions = rightsOf(given.filter(({ operation }) => operation === 'ADD'));
        for (let above = parentOf(at); above !== ''; above = parentOf(above))
          expect(canSee(additions, above)).to.equal(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('who may give rights over a subtree may do everything in it himself', () => {
    fc.assert(
      fc.property(grants, action, pattern, target, (given, wanted, at, below) => {
        if (!canDelegate(rightsOf(given), at)) return;
        const parts = below.split('.');
        const inside = at.split('.').every((part, i) => i < parts.length && (part === '*' || part === parts[i]));
        if (inside) expect(allows(rightsOf(given), wanted, below)).to.equal(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('a stranger sees nothing', () => {
    const rights = rightsOf([{ target: 'acme.t1', action: 'all', operation: 'ADD' }]);
    expect(['acme', 'acme.t1', 'acme.t1.x', 'acme.t2', 'other'].map((at) => canSee(rights, at))).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
