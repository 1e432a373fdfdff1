import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Collection, Order, Stored } from '../../ports/store.ts';
import type { Write, WriterPlan } from '../support/processes/list-writer.ts';
import { WRITER_COUNT, writeAtOnce } from '../support/processes/list-writers.ts';
import type { StoreUnderTest } from './collection.contract.ts';

type Rows = Stored<{ n: number }>[];

const skew = fc.integer({ min: -60_000, max: 60_000 });
const inserts = (writer: number): fc.Arbitrary<Write[]> =>
  fc
    .array(skew, { minLength: 5, maxLength: 30 })
    .map((skews) => skews.map((one, n) => ({ do: 'insert', id: `${writer}-${n}`, skew: one })));
const writes: fc.Arbitrary<Write[]> = fc.array(
  fc.record({
    do: fc.constantFrom('insert', 'insert', 'replace', 'remove'),
    id: fc.constantFrom(...'abcdefghij'),
    skew,
  }),
  { minLength: 5, maxLength: 30 },
);
const writersOf = (plan: (writer: number) => fc.Arbitrary<Write[]>): fc.Arbitrary<Write[][]> =>
  fc.tuple(...Array.from({ length: WRITER_COUNT }, (_, writer) => plan(writer)));

let runs = 0;

/** Runs plans concurrently and calls `read` repeatedly until after their end. */
async function whileWriting(
  under: StoreUnderTest,
  plans: Write[][],
  read: (items: Collection<{ n: number }>, parent: string) => Promise<unknown>,
): Promise<void> {
  runs += 1;
  const [collection, parent] = ['raced', `run${runs}`];
  const items = under.store.collection<{ n: number }>({
    name: collection,
    listed: true,
    sealed: false,
    afterRestore: 'kept',
  });
  let isOver = false;
  const work = writeAtOnce(
    under,
    plans.map((each): WriterPlan => ({ collection, parent, writes: each })),
  ).finally(() => {
    isOver = true;
  });
  const reading = (async () => {
    for (let isLast = false; !isLast; await setImmediate()) {
      isLast = isOver;
      await read(items, parent);
    }
  })();
  await Promise.all([work, reading]);
}

/** Reads page by page; a page is never read again. */
function pager(order: Order): {
  read: (items: Collection<{ n: number }>, parent: string) => Promise<void>;
  ids: string[];
} {
  const ids: string[] = [];
  const read = async (items: Collection<{ n: number }>, parent: string): Promise<void> => {
    for (let full = true; full; ) {
      const page = await items.ids({ parent, order, offset: ids.length, limit: 4 });
      ids.push(...page);
      full = page.length === 4;
    }
  };
  return { read, ids };
}

/** Reads a whole list repeatedly. @throws Error when a new element is not later than all earlier ones */
function onlyGrows(time: 'createdAt' | 'updatedAt'): (rows: Rows) => void {
  const known = new Set<string>();
  let latest = Number.NEGATIVE_INFINITY;
  return (rows) => {
    const fresh = rows.filter((row) => !known.has(`${row.id}@${row[time]}`));
    for (const row of fresh) expect(row[time], `${time} of ${row.id}`).to.be.greaterThan(latest);
    for (const row of rows) expect(row.updatedAt).to.be.at.least(row.createdAt);
    expect(new Set(rows.map((row) => row[time])).size).to.equal(rows.length);
    for (const row of fresh) known.add(`${row.id}@${row[time]}`);
    latest = Math.max(latest, ...fresh.map((row) => row[time]));
  };
}

/** The contract for concurrent writers whose clocks differ and step. */
export function concurrentWriters(under: () => StoreUnderTest): void {
  it('new elements never shift earlier pages: a list that is read page by page during inserts is complete', () =>
    fc.assert(
      fc.asyncProperty(writersOf(inserts), fc.constantFrom<Order>('created+', 'updated+'), async (plans, order) => {
        const { read, ids } = pager(order);
        await whileWriting(under(), plans, read);
        const whole = { parent: `run${runs}`, order, offset: 0, limit: 1000 };
        const items = under().store.collection({ name: 'raced', listed: true, sealed: false, afterRestore: 'kept' });
        expect(ids).to.deep.equal(await items.ids(whole));
        expect(ids).to.have.members(plans.flat().map(({ id }) => id));
      }),
      { numRuns: 8 },
    ));

  it('inserted and replaced elements are later than all elements ever listed, also removed ones', () =>
    fc.assert(
      fc.asyncProperty(
        writersOf(() => writes),
        async (plans) => {
          const rules = { 'created+': onlyGrows('createdAt'), 'updated+': onlyGrows('updatedAt') };
          await whileWriting(under(), plans, async (items, parent) => {
            for (const [order, check] of Object.entries(rules) as [Order, (rows: Rows) => void][])
              check(await items.list({ parent, order, offset: 0, limit: 1000 }));
          });
        },
      ),
      { numRuns: 8 },
    ));
}
