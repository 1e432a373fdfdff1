import { expect } from 'chai';
import { combinationsOf } from '../support/runs/combinations.ts';
import { inTier, inTurn, oneOfEach, pairwise } from '../support/runs/tier.ts';

const numbers = (count: number): string[] => Array.from({ length: count }, (_, n) => String(n));
const PRODUCT = combinationsOf({ store: numbers(5), flow: numbers(4), format: numbers(6), end: numbers(3) });
const axesOf = ({ store, flow, format, end }: (typeof PRODUCT)[number]): string[] => [store, flow, format, end];

describe('what npm test tries of a product', () => {
  it('has every pair of two axes, and is a fifth of it at most', () => {
    const part = pairwise(PRODUCT, axesOf);
    expect(part).to.have.length.within(30, PRODUCT.length / 5);
    for (const [one, other] of [
      ['store', 'flow'],
      ['store', 'format'],
      ['flow', 'end'],
      ['format', 'end'],
    ] as const) {
      const pairs = (all: typeof PRODUCT) => new Set(all.map((each) => `${each[one]} ${each[other]}`));
      expect(pairs(part)).to.deep.equal(pairs(PRODUCT));
    }
    expect(pairwise(PRODUCT, axesOf), 'again').to.deep.equal(part);
  });

  it('is each element of a list in one of the turns, and in each turn one or more', () => {
    for (const length of [1, 2, 7, 8, 9, 40]) {
      const turns = numbers(Math.min(8, length)).map((turn) => inTurn(numbers(length), Number(turn)));
      expect([...new Set(turns.flat())].sort()).to.deep.equal(numbers(length).sort());
      expect(turns.flat().length / length).to.equal(inTier({ hard: turns.length, usual: 1 }));
      for (const turn of turns) expect(turn).to.have.length.above(0);
    }
    expect(inTurn([], 3)).to.deep.equal([]);
  });

  it('is one element for each key', () => {
    const part = oneOfEach(PRODUCT, ({ store, end }) => store + end);
    expect(part).to.have.length(15);
    expect(new Set(part.map(({ store, end }) => store + end)).size).to.equal(15);
  });
});
