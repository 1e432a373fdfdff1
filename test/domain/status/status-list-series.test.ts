import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { base64url } from '../../../domain/foundation/bytes.ts';
import { permuted } from '../../../domain/status/index-permutation.ts';
import { draw, type ListSeries } from '../../../domain/status/list-series.ts';

const SIZE = 131_072;
const seedOf = (n: number): Uint8Array => createHash('sha256').update(String(n)).digest();
const seriesOf = (n: number, size = SIZE): ListSeries => ({
  list: 'list',
  size,
  seed: base64url(seedOf(n)),
  next: 0,
  recent: [],
  opened: 1,
});

/** Draws in portions, as requests of several sizes do; an empty portion ends it. */
function drawAll(series: ListSeries, portions: number[]): { series: ListSeries; indexes: number[] } {
  let left = series;
  const indexes = portions.flatMap((wanted) => {
    const drawn = draw(left, wanted);
    left = drawn.series;
    return drawn.indexes;
  });
  return { series: left, indexes };
}

describe('the indexes of a status list', () => {
  it('the order of a list is a permutation of its indexes, for every size', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 2, max: 1000 }), (n, size) => {
        const order = { seed: seedOf(n), size };
        const all = new Set(Array.from({ length: size }, (_, value) => permuted(order, value)));
        expect(all.size).to.equal(size);
        expect(Math.max(...all)).to.equal(size - 1);
      }),
      { numRuns: 25 },
    );
  });

  it('no index of a list is drawn twice, until it is full', () => {
    const size = 16_384;
    const { series, indexes } = drawAll(seriesOf(1, size), new Array(60).fill(500));
    expect(new Set(indexes).size).to.equal(indexes.length);
    expect(indexes.every((index) => Number.isInteger(index) && index >= 0 && index < size)).to.equal(true);
    expect(indexes.length).to.be.greaterThan(size * 0.75);
    expect(draw(series, 1)).to.deep.equal({ series, indexes: [] });
  });

  it('any 65 indexes that are drawn in succession are at least 32 apart, regardless of the portions', () => {
    const portions = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(fc.nat(), portions, (n, sizes) => {
        const { indexes } = drawAll(seriesOf(n), sizes);
        const nearest = (index: number, place: number): number =>
          Math.min(...indexes.slice(place + 1, place + 65).map((other) => Math.abs(index - other)));
        expect(Math.min(...indexes.map(nearest))).to.be.at.least(32);
      }),
      { numRuns: 20 },
    );
  });

  it('an index says nothing about the next: all parts of the list are as likely, whichever part came before', () => {
    const parts = 16;
    const { indexes } = drawAll(seriesOf(2), new Array(8).fill(1000));
    const partOf = (index: number): number => Math.floor((index * parts) / SIZE);
    const counts = new Array(parts * parts).fill(0);
    for (const [place, index] of indexes.slice(1).entries())
      counts[partOf(indexes[place] ?? 0) * parts + partOf(index)] += 1;
    const expected = (indexes.length - 1) / counts.length;
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 255 degrees of freedom: 1 of 10,000 fair samples is above 346. The seed is fixed, so the outcome is too.
    expect(chiSquare).to.be.below(346);
  });

  it('at most one place in twenty is left out for being near', () => {
    const { series, indexes } = drawAll(seriesOf(6), [1000, 1000, 1000]);
    expect(indexes).to.have.length(3000);
    expect(series.next).to.be.below(3000 * 1.05);
  });

  it('another seed gives another order', () => {
    const [one, other] = [3, 4].map((n) => draw(seriesOf(n), 1000).indexes);
    const same = one?.filter((index, place) => index === other?.[place]) ?? [];
    expect(same.length).to.be.below(5);
  });

  it('takes no more of a list that is nearly full than is left, in bounded time', () => {
    const nearlyFull = { ...seriesOf(5), next: SIZE - 3 };
    const { series, indexes } = draw(nearlyFull, 100);
    expect(indexes).to.have.length.within(1, 3);
    expect(series.next).to.equal(SIZE);
  });
});
