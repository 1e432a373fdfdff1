import { expect } from 'chai';
import fc from 'fast-check';
import { countNumbers, hasNumber, withNumbers, withoutNumbers } from '../../../domain/foundation/number-ranges.ts';
import type { IssuableContent } from '../../../domain/issuer/sessions/issuable-content.ts';
import {
  countContents,
  countItems,
  identifierOf,
  itemAt,
  itemNamed,
  itemsOf,
  planItems,
} from '../../../domain/issuer/sessions/item-plan.ts';

const content = ([configurationId, level]: readonly [string, number]) =>
  ({
    configurationId,
    format: 'f',
    types: [[configurationId]],
    credentialData: { level },
  }) as unknown as IssuableContent;

const wishes = fc.array(fc.tuple(fc.constantFrom('A', 'B'), fc.nat(4)), { minLength: 1, maxLength: 30 });

describe('the plan of an offer', () => {
  it('has an item for each content in its order, and each distinct content once', () => {
    fc.assert(
      fc.property(wishes, (all) => {
        const wanted = all.map(content);
        const { plan, contents } = planItems(wanted);
        const items = [...itemsOf(plan)];
        expect(items.map(({ content: number }) => contents[number])).to.deep.equal(wanted);
        expect(items.map(({ id }) => id)).to.deep.equal([...wanted.keys()]);
        expect(contents).to.have.length(new Set(all.map(String)).size);
        expect([countItems(plan), countContents(plan)]).to.deep.equal([wanted.length, contents.length]);
        for (const item of items) {
          const uses = items.filter((other) => other.content === item.content).length;
          expect([item.isShared, item.kind.configurationId]).to.deep.equal([uses > 1, all[item.id]?.[0]]);
          expect(itemAt(plan, item.id)).to.deep.equal(item);
          expect(itemNamed(plan, identifierOf(item))).to.deep.equal(item);
        }
        expect([itemAt(plan, -1), itemAt(plan, items.length), itemNamed(plan, 'A-x')]).to.deep.equal(
          Array(3).fill(undefined),
        );
      }),
    );
  });

  it('thousands of one kind take one run, whether their contents are alike or not', () => {
    for (const levels of [1, 2000]) {
      const all = Array.from({ length: 2000 }, (_, index) => content(['A', index % levels]));
      expect(planItems(all).plan.runs).to.have.length(1);
    }
  });
});

describe('ranges of numbers', () => {
  it('are the set that they were made from, in the fewest ranges', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40)), fc.array(fc.nat(40)), (added, removed) => {
        const ranges = withoutNumbers(withNumbers([], added), removed);
        const set = new Set(added.filter((number) => !removed.includes(number)));
        for (let number = -1; number <= 41; number += 1) expect(hasNumber(ranges, number)).to.equal(set.has(number));
        expect(countNumbers(ranges)).to.equal(set.size);
        expect(ranges).to.have.length([...set].filter((number) => !set.has(number - 1)).length);
      }),
    );
  });
});
