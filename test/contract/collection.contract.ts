import { expect } from 'chai';
import fc from 'fast-check';
import type { DomainError } from '../../domain/foundation/errors.ts';
import type { Collection, Order, Store } from '../../ports/store.ts';
import { runs } from '../support/runs/property-runs.ts';
import { pause } from '../support/runs/waiting.ts';
import type { SharedStore } from '../support/stores/shared-store.ts';
import { concurrentWriters } from './concurrent-writers.ts';

/** A store under test with a clock that the test moves. */
export interface StoreUnderTest {
  store: Store;
  clock: { time: number };
  /** Its location, for other processes. */
  shared: SharedStore;
  close(): Promise<void>;
}

const ORDERS: Order[] = ['id', 'id-', 'created+', 'created-', 'updated+', 'updated-'];
const REVERSE: Record<string, Order> = { id: 'id-', 'created+': 'created-', 'updated+': 'updated-' };
let collections = 0;

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fulfilled',
    (error: DomainError) => error.code,
  );

/** The contract of every store. */
export function collectionContract(name: string, open: () => Promise<StoreUnderTest>): void {
  for (const listed of [true, false])
    describe(`${listed ? 'Listed collection' : 'Collection'} on ${name}`, () => {
      let under: StoreUnderTest;
      let items: Collection<{ n: number; text?: string }>;
      before(async () => {
        under = await open();
      });
      after(() => under.close());
      beforeEach(() => {
        under.clock.time = 1_000_000;
        collections += 1;
        items = under.store.collection({ name: `things-${collections}`, listed, sealed: false, afterRestore: 'kept' });
      });

      singleRecords(() => ({ under, items }));
      races(() => items);
      if (listed) lists(() => ({ under, items }));
      else ownTimes(() => ({ under, items }));
      if (listed) concurrentWriters(() => under);
    });
}

function singleRecords(parts: () => { under: StoreUnderTest; items: Collection<{ n: number; text?: string }> }): void {
  it('returns the inserted record with its first revision and times', async () => {
    const { items } = parts();
    const record = await items.insert({ id: 'a', value: { n: 1, text: 'é � 😀 " \n' } });
    expect(record).to.include({ id: 'a', parent: '', revision: 1, createdAt: 1_000_000, updatedAt: 1_000_000 });
    expect(await items.get({ id: 'a' })).to.deep.equal(record);
  });

  it('returns nothing for another parent, id or collection', async () => {
    const { under, items } = parts();
    await items.insert({ parent: 'p', id: 'a', value: { n: 1 } });
    const other = under.store.collection<{ n: number }>({
      name: 'others',
      listed: false,
      sealed: false,
      afterRestore: 'kept',
    });
    expect(await items.get({ id: 'a' })).to.equal(undefined);
    expect(await items.get({ parent: 'q', id: 'a' })).to.equal(undefined);
    expect(await other.get({ parent: 'p', id: 'a' })).to.equal(undefined);
  });

  it('refuses a second record with the same key and keeps the first', async () => {
    const { items } = parts();
    await items.insert({ id: 'a', value: { n: 1 } });
    expect(await codeOf(items.insert({ id: 'a', value: { n: 2 } }))).to.equal('Conflict');
    expect((await items.get({ id: 'a' }))?.value).to.deep.equal({ n: 1 });
  });

  it('replaces only the revision the caller read', async () => {
    const { under, items } = parts();
    await items.insert({ id: 'a', value: { n: 1 } });
    under.clock.time += 5;
    const second = await items.replace({ id: 'a', value: { n: 2 } }, 1);
    expect(second).to.include({ revision: 2, createdAt: 1_000_000, updatedAt: 1_000_005 });
    expect(await codeOf(items.replace({ id: 'a', value: { n: 3 } }, 1))).to.equal('Conflict');
    expect(await codeOf(items.replace({ id: 'missing', value: { n: 3 } }, 1))).to.equal('Conflict');
    expect((await items.get({ id: 'a' }))?.value).to.deep.equal({ n: 2 });
  });

  it('removes a record by an expired replacement if it still has the revision that the caller read', async () => {
    const { items } = parts();
    await items.insert({ id: 'a', value: { n: 1 } });
    expect(await codeOf(items.replace({ id: 'a', value: { n: 2 }, expiresAt: 0 }, 2))).to.equal('Conflict');
    expect(await items.get({ id: 'a' })).to.include({ revision: 1 });
    await items.replace({ id: 'a', value: { n: 2 }, expiresAt: 0 }, 1);
    expect(await items.get({ id: 'a' })).to.equal(undefined);
    expect(await items.insert({ id: 'a', value: { n: 3 } })).to.include({ revision: 1 });
  });

  it('removes a record at its expiry, after which its key can be inserted again', async () => {
    const { under, items } = parts();
    await items.insert({ id: 'a', value: { n: 1 }, expiresAt: 1_000_010 });
    under.clock.time = 1_000_009;
    expect(await items.get({ id: 'a' })).to.include({ expiresAt: 1_000_010 });
    under.clock.time = 1_000_010;
    expect(await items.get({ id: 'a' })).to.equal(undefined);
    expect(await items.take({ id: 'a' })).to.equal(undefined);
    expect(await items.remove({ id: 'a' })).to.equal(false);
    expect(await codeOf(items.replace({ id: 'a', value: { n: 2 } }, 1))).to.equal('Conflict');
    expect(await items.insert({ id: 'a', value: { n: 3 } })).to.include({ revision: 1 });
  });

  it('keeps the expiry of a record unless a replacement names another', async () => {
    const { items } = parts();
    await items.insert({ id: 'a', value: { n: 1 }, expiresAt: 1_000_010 });
    expect((await items.replace({ id: 'a', value: { n: 2 } }, 1)).expiresAt).to.equal(1_000_010);
    expect((await items.replace({ id: 'a', value: { n: 2 }, expiresAt: 2_000_000 }, 2)).expiresAt).to.equal(2_000_000);
  });
}

function ownTimes(parts: () => { under: StoreUnderTest; items: Collection<{ n: number }> }): void {
  it('never dates an update before the previous one when the clock steps back', async () => {
    const { under, items } = parts();
    await items.insert({ id: 'a', value: { n: 1 } });
    under.clock.time -= 500;
    expect((await items.replace({ id: 'a', value: { n: 2 } }, 1)).updatedAt).to.equal(1_000_000);
  });
}

function races(items: () => Collection<{ n: number }>): void {
  const fifty = <T>(work: (n: number) => Promise<T>): Promise<PromiseSettledResult<T>[]> =>
    Promise.allSettled(Array.from({ length: 50 }, (_, n) => work(n)));

  it('of 50 concurrent inserts of one key exactly one succeeds', async () => {
    const results = await fifty((n) => items().insert({ id: 'a', value: { n } }));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
  });

  it('of 50 concurrent takes exactly one returns the record', async () => {
    await items().insert({ id: 'a', value: { n: 1 } });
    const results = await fifty(() => items().take({ id: 'a' }));
    expect(results.filter((result) => result.status === 'fulfilled' && result.value)).to.have.length(1);
  });

  it('of 50 concurrent replacements of one revision exactly one succeeds', async () => {
    await items().insert({ id: 'a', value: { n: 1 } });
    const results = await fifty((n) => items().replace({ id: 'a', value: { n } }, 1));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
  });
}

function lists(parts: () => { under: StoreUnderTest; items: Collection<{ n: number }> }): void {
  it('the pages together are the whole list in every order, for any page size', async () => {
    const { under, items } = parts();
    const records = fc.uniqueArray(
      fc.record({
        id: fc.string({ minLength: 1, maxLength: 4, unit: 'grapheme-ascii' }),
        at: fc.integer({ min: 0, max: 3 }),
      }),
      { selector: ({ id }) => id, maxLength: 25 },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(records, fc.integer({ min: 1, max: 7 }), async (all, limit) => {
        run += 1;
        const parent = `run${run}`;
        for (const { id, at } of all) {
          under.clock.time = 1_000_000 + at;
          await items.insert({ parent, id, value: { n: at } });
        }
        for (const order of ORDERS) {
          const whole = await items.ids({ parent, order, offset: 0, limit: 100 });
          expect(whole).to.have.length(all.length);
          const pages: string[] = [];
          for (let offset = 0; offset <= all.length; offset += limit) {
            pages.push(...(await items.list({ parent, order, offset, limit })).map(({ id }) => id));
          }
          expect(pages).to.deep.equal(whole);
        }
      }),
      { numRuns: runs(15) },
    );
  });

  it('ascending is the exact reverse of descending, and ids are ordered by their bytes', async () => {
    const { under, items } = parts();
    const ids = ['b', 'a1', 'é', 'a', 'B', '😀', '�'];
    for (const [n, id] of ids.entries()) {
      under.clock.time = 1_000_000 + (n % 2);
      await items.insert({ parent: 'p', id, value: { n } });
    }
    const page = { parent: 'p', offset: 0, limit: 100 };
    expect(await items.ids({ ...page, order: 'id' })).to.deep.equal(['B', 'a', 'a1', 'b', 'é', '�', '😀']);
    for (const [ascending, descending] of Object.entries(REVERSE) as [Order, Order][]) {
      const up = await items.ids({ ...page, order: ascending });
      expect(await items.ids({ ...page, order: descending })).to.deep.equal(up.toReversed());
    }
  });

  it('begins after an id in both orders by id, whether there is a record with it or not', async () => {
    const { under, items } = parts();
    const ids = ['B', 'a', 'a1', 'b', 'é', '😀'];
    for (const id of ids) await items.insert({ parent: 'p', id, value: { n: 0 } });
    await items.insert({ parent: 'p', id: 'a0', value: { n: 0 }, expiresAt: under.clock.time + 1 });
    under.clock.time += 1;
    for (const after of ['', ...ids, 'a0', '~', '\u{10ffff}'])
      for (const order of ['id', 'id-'] as const)
        for (const [offset, limit] of [
          [0, 2],
          [1, 100],
        ] as const) {
          const isBeyond = (id: string) =>
            Buffer.compare(Buffer.from(id), Buffer.from(after)) * (order === 'id' ? 1 : -1) > 0;
          const wanted = (order === 'id' ? ids : ids.toReversed()).filter(isBeyond).slice(offset, offset + limit);
          const query = { parent: 'p', order, after, offset, limit };
          expect(await items.ids(query), `${order} after ${after}`).to.deep.equal(wanted);
          expect((await items.list(query)).map(({ id }) => id)).to.deep.equal(wanted);
        }
  });

  it('begins after a time in both orders by creation, also that of a record that was removed', async () => {
    const { items } = parts();
    const made: { id: string; createdAt: number }[] = [];
    for (const id of ['c', 'a', 'd', 'b', 'e']) made.push(await items.insert({ parent: 'p', id, value: { n: 0 } }));
    await items.remove({ parent: 'p', id: 'd' });
    for (const { createdAt: afterTime } of [{ createdAt: 0 }, ...made, { createdAt: Number.MAX_SAFE_INTEGER }])
      for (const order of ['created+', 'created-'] as const) {
        const direction = order === 'created+' ? 1 : -1;
        const left = made.filter(({ id, createdAt }) => id !== 'd' && (createdAt - afterTime) * direction > 0);
        const wanted = (order === 'created+' ? left : left.toReversed()).map(({ id }) => id);
        const query = { parent: 'p', order, afterTime };
        expect(await items.ids({ ...query, offset: 0, limit: 2 }), order).to.deep.equal(wanted.slice(0, 2));
        const rest = await items.list({ ...query, offset: 1, limit: 100 });
        expect(rest.map(({ id }) => id)).to.deep.equal(wanted.slice(1));
      }
  });

  it('gives other work its turn while pages are read one after the other', async () => {
    const { items } = parts();
    let turns = 0;
    let isCounting = true;
    const count = (): void => {
      turns += 1;
      if (isCounting) setImmediate(count);
    };
    setImmediate(count);
    const page = { parent: 'p', order: 'id', offset: 0, limit: 1 } as const;
    for (let n = 0; n < 50; n += 1) {
      await items.list(page);
      await items.ids(page);
    }
    isCounting = false;
    // A network is waited for in turns of its own, several answers in one.
    expect(turns, 'turns of the event loop').to.be.at.least(2);
  });

  it('deletes expired records while new ones are inserted', async () => {
    const { under, items } = parts();
    for (let n = 0; n < 20; n += 1) await items.insert({ id: `old${n}`, value: { n }, expiresAt: 1_000_001 });
    under.clock.time += 10;
    const isKept = async (id: string): Promise<boolean> => {
      under.clock.time -= 10;
      const record = await items.get({ id });
      under.clock.time += 10;
      return record !== undefined;
    };
    // A timer that deletes them runs once a second.
    const deadline = performance.now() + 5000;
    for (let n = 0; n < 20 || (await isKept('old0')); n += 1) {
      expect(performance.now()).to.be.below(deadline);
      await items.insert({ id: `new${n}`, value: { n }, expiresAt: 1_000_100 });
      if (n > 20) await pause(20);
    }
  });

  it('dates each write to a parent after all previous ones, with any clock and after any removal', async () => {
    const { under, items } = parts();
    const at = async (id: string, time: number, expiresAt?: number): Promise<number> => {
      under.clock.time = time;
      const { createdAt, updatedAt } = await items.insert({ parent: 'p', id, value: { n: 1 }, expiresAt });
      expect(updatedAt).to.equal(createdAt);
      return createdAt;
    };
    expect(await at('a', 1_000_000)).to.equal(1_000_000);
    expect(await at('b', 1_000_000)).to.equal(1_000_001);
    expect(await at('c', 999_000)).to.equal(1_000_002);
    expect(await items.remove({ parent: 'p', id: 'c' })).to.equal(true);
    expect(await at('d', 999_000)).to.equal(1_000_003);
    expect(await items.replace({ parent: 'p', id: 'a', value: { n: 2 } }, 1)).to.include({
      createdAt: 1_000_000,
      updatedAt: 1_000_004,
    });
    expect(await at('e', 999_000, 1_000_002)).to.equal(1_000_005);
    expect(await at('e', 1_000_002)).to.equal(1_000_006);
    for (const id of ['a', 'b', 'd', 'e']) await items.take({ parent: 'p', id });
    expect(await at('f', 5)).to.equal(1_000_007);
    expect((await items.insert({ parent: 'q', id: 'a', value: { n: 1 } })).createdAt).to.equal(5);
  });

  it('lists and counts no expired record, regardless of their number', async () => {
    const { under, items } = parts();
    const page = { parent: 'p', offset: 1, limit: 2 };
    const many = Array.from({ length: 1200 }, (_, n) => ({ parent: 'p', id: `old${n}`, expiresAt: 1_000_001 }));
    await Promise.all(many.map((record) => items.insert({ ...record, value: { n: 0 } })));
    for (const id of ['a', 'z', 'zz']) await items.insert({ parent: 'p', id, value: { n: 0 }, expiresAt: 1_000_100 });
    under.clock.time = 1_000_001;
    expect(await items.ids({ ...page, order: 'id' })).to.deep.equal(['z', 'zz']);
    expect(await items.ids({ ...page, order: 'created-' })).to.deep.equal(['z', 'a']);
    expect(await items.list({ ...page, offset: 3, order: 'updated+' })).to.deep.equal([]);
  });

  it('a page of an empty list is empty at any offset', async () => {
    const { items } = parts();
    await items.insert({ parent: 'p', id: 'a', value: { n: 0 } });
    for (const offset of [0, 1, 9_999_999_999_999_998])
      expect(await items.list({ parent: 'p', order: 'id', offset, limit: 0 })).to.deep.equal([]);
    expect(await items.ids({ parent: 'p', order: 'id', offset: 9_999_999_999_999_998, limit: 5 })).to.deep.equal([]);
  });

  it('parents and ids may be any text', async () => {
    const { items } = parts();
    const texts = ['', 'a:b', '{a}', 'a}b{', '%3a', 'a\nb', 'é 😀', ' '];
    for (const parent of texts) for (const id of texts) await items.insert({ parent, id, value: { n: 1 } });
    for (const parent of texts) {
      const ids = await items.ids({ parent, order: 'id', offset: 0, limit: 100 });
      expect(ids).to.have.members(texts);
      for (const id of texts) expect(await items.get({ parent, id })).to.include({ parent, id });
    }
  });

  it('moves an updated record to the front of the most recently updated', async () => {
    const { under, items } = parts();
    for (const id of ['a', 'b', 'c']) await items.insert({ parent: 'p', id, value: { n: 0 } });
    under.clock.time += 1;
    await items.replace({ parent: 'p', id: 'b', value: { n: 1 } }, 1);
    expect(await items.ids({ parent: 'p', order: 'updated-', offset: 0, limit: 2 })).to.deep.equal(['b', 'c']);
  });
}
