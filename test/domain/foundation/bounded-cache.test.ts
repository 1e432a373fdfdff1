import { expect } from 'chai';
import fc from 'fast-check';
import { ENTRY_BYTES, LruCache } from '../../../domain/foundation/lru-cache.ts';

const MAX_BYTES = 40_000;
const OWNERS = ['', 'one', 'two', 'three'];
const cacheOf = () => new LruCache<number>('json-paths', MAX_BYTES);

describe('BoundedCache', () => {
  const step = fc.record({
    owner: fc.constantFrom(...OWNERS),
    key: fc.integer({ min: 0, max: 200 }).map(String),
    bytes: fc.integer({ min: 0, max: 14_000 }),
  });

  it('never takes more than its bytes, and gives back only what was kept under the same owner and key', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const cache = cacheOf();
        const last = new Map<string, number>();
        for (const [index, { owner, key, bytes }] of steps.entries()) {
          cache.set(key, index, { owner, bytes });
          last.set(`${owner} ${key}`, index);
          expect(cache.bytes).to.be.at.most(MAX_BYTES);
        }
        for (const [name, index] of last) {
          const [owner = '', key = ''] = name.split(' ');
          expect(cache.get(key, owner)).to.be.oneOf([index, undefined]);
        }
      }),
    );
  });

  it('is empty again when everything was deleted', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const cache = cacheOf();
        for (const { owner, key, bytes } of steps) cache.set(key, 1, { owner, bytes });
        for (const { owner, key } of steps) cache.delete(key, owner);
        expect(cache.bytes).to.equal(0);
      }),
    );
  });

  it('makes room by the least recently used entry', () => {
    const cache = cacheOf();
    const bytes = 9000;
    for (const [index, key] of ['a', 'b', 'c', 'd', 'a', 'e'].entries())
      cache.get(key) ?? cache.set(key, index, { bytes });
    expect(['a', 'b', 'c', 'd', 'e'].map((key) => cache.get(key))).to.deep.equal([0, undefined, 2, 3, 5]);
  });

  it('an owner who fills it never displaces the smaller share of another', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 13_000 }), fc.integer({ min: 1, max: 400 }), (bytes, count) => {
        const cache = cacheOf();
        cache.set('kept', 7, { owner: 'quiet' });
        for (let at = 0; at < count; at += 1) cache.set(`${at}`, at, { owner: 'loud', bytes });
        expect(cache.get('kept', 'quiet')).to.equal(7);
      }),
    );
  });

  it('an entry too large to be kept beside others displaces nothing', () => {
    const cache = cacheOf();
    cache.set('small', 1);
    expect(cache.set('large', 2, { bytes: MAX_BYTES / 2 })).to.equal(2);
    expect([cache.get('small'), cache.get('large')]).to.deep.equal([1, undefined]);
  });

  it('long keys take no more than short ones', () => {
    const cache = cacheOf();
    cache.set('x'.repeat(1_000_000), 1);
    expect(cache.bytes).to.be.below(3 * ENTRY_BYTES);
    expect(cache.get('x'.repeat(1_000_000))).to.equal(1);
  });
});
