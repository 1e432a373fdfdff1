import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { visiblePage } from '../../../domain/tenancy/tree/visible-page.ts';
import type { Order, PageQuery, Stored } from '../../../ports/store.ts';

const ORDERS: Order[] = ['id', 'created+', 'created-', 'updated+', 'updated-'];
const ids = 'abcdefghijklmnop'.split('');

describe('visiblePage', () => {
  it('is the page of the list without the hidden, at any offset and limit and in any order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.record({ id: fc.constantFrom(...ids), at: fc.nat(3), touched: fc.nat(3) }), {
          selector: ({ id }) => id,
        }),
        fc.uniqueArray(fc.constantFrom(...ids, 'missing'), { maxLength: 8 }),
        fc.record({ offset: fc.nat(18), limit: fc.integer({ min: 1, max: 6 }), order: fc.constantFrom(...ORDERS) }),
        async (all, away, { offset, limit, order }) => {
          const clock = { time: 0, now: () => clock.time };
          // Unlisted, because a listed collection has no two equal times.
          const collection = new MemoryStore(clock).collection<number>({
            name: 'x',
            listed: false,
            sealed: false,
            afterRestore: 'kept',
          });
          for (const { id, at } of all) {
            clock.time = at;
            await collection.insert({ parent: 'p', id, value: at });
          }
          for (const { id, touched } of all) {
            clock.time = touched;
            await collection.replace({ parent: 'p', id, value: 0 }, 1);
          }
          const whole = await collection.list({ parent: 'p', order, offset: 0, limit: 100 });
          const hidden = new Set(away);
          const visible = whole.filter(({ id }) => !hidden.has(id)).slice(offset, offset + limit);
          const rows = { read: (q: PageQuery) => collection.list(q), placeOf: (row: Stored<number>) => row };
          const page = await visiblePage({ collection, rows }, { parent: 'p', order, offset, limit }, hidden);
          expect(page).to.deep.equal(visible);
        },
      ),
      { numRuns: 500 },
    );
  });
});
