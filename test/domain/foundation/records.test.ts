import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { MAX_ATTEMPTS, readAll, retried, update, upsert } from '../../../domain/foundation/records.ts';
import type { Collection, PageQuery, Stored } from '../../../ports/store.ts';

type Names = string[];

const key = { parent: 'p', id: 'r' };

/** A collection whose calls are answered after as many turns of the event loop as `delays` says, in rotation. */
function delayed(delays: number[]): Collection<Names> {
  const collection = new MemoryStore({ now: () => 0 }).collection<Names>({
    name: 'c',
    listed: true,
    sealed: false,
    afterRestore: 'kept',
  });
  let calls = 0;
  const wait = async (): Promise<void> => {
    for (let turns = delays[calls++ % delays.length] ?? 0; turns > 0; turns -= 1) await setImmediate();
  };
  return new Proxy(collection, {
    get: (target, name: keyof Collection<Names>) => {
      const method = (target[name] as (...args: unknown[]) => Promise<unknown>).bind(target);
      return async (...args: unknown[]) => {
        await wait();
        return method(...args);
      };
    },
  });
}

const add =
  (name: string) =>
  (names: Names): Names => [...names, name];

describe('records', () => {
  it('any number of concurrent updates of one record all take effect, each once, with a stale copy or without', async () => {
    const delays = fc.array(fc.nat(3), { minLength: 1, maxLength: 10 });
    const isStale = fc.array(fc.boolean(), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(delays, isStale, async (turns, stale) => {
        const collection = delayed(turns);
        const from = await collection.insert({ ...key, value: [] });
        const updates = stale.map((isFrom, index) =>
          update({ collection, key, change: add(`u${index}`), ...(isFrom && { from }) }),
        );
        const results = await Promise.all(updates);
        const end = await collection.get(key);
        expect([...(end?.value ?? [])].sort()).to.deep.equal(stale.map((_, index) => `u${index}`).sort());
        for (const [index, result] of results.entries()) expect(result?.value).to.include(`u${index}`);
        expect(new Set(results.map((result) => result?.revision)).size).to.equal(stale.length);
      }),
      { numRuns: 60 },
    );
  });

  it('a change that refuses a stale copy is asked again with the present value, whose refusal counts', async () => {
    const collection = delayed([0]);
    const from = await collection.insert({ ...key, value: ['closed'] });
    const open = await collection.replace({ ...key, value: ['open'] }, 1);
    const change = (names: Names): Names => {
      if (names.includes('closed')) throw new DomainError('Conflict', 'It is closed');
      return [...names, 'entered'];
    };
    expect((await update({ collection, key, change, from }))?.value).to.deep.equal(['open', 'entered']);
    await collection.replace({ ...key, value: ['closed'] }, open.revision + 1);
    const refused = await update({ collection, key, change, from }).catch((error) => error);
    expect(refused).to.be.instanceOf(DomainError).with.property('message', 'It is closed');
  });

  it('a change to the same value writes nothing, and a record that is gone is none', async () => {
    const collection = delayed([0]);
    await collection.insert({ ...key, value: ['a'] });
    expect(await update({ collection, key, change: (names) => names })).to.include({ revision: 1 });
    expect((await collection.get(key))?.revision).to.equal(1);
    await collection.remove(key);
    expect(await update({ collection, key, change: add('b') })).to.equal(undefined);
  });

  it('an update keeps the end of the record, or sets the one it names', async () => {
    const collection = delayed([0]);
    await collection.insert({ ...key, value: [], expiresAt: 10 });
    expect((await update({ collection, key, change: add('a') }))?.expiresAt).to.equal(10);
    const expiresAt = (value: Names, before: Stored<Names>): number => (before.expiresAt ?? 0) + value.length;
    expect((await update({ collection, key, change: add('b'), expiresAt }))?.expiresAt).to.equal(12);
  });

  it('a change that another writer is always faster than is given up', async () => {
    const collection = delayed([0]);
    await collection.insert({ ...key, value: [] });
    let attempts = 0;
    const change = (names: Names): Names => {
      attempts += 1;
      void collection.replace({ ...key, value: [] }, attempts);
      return [...names, 'late'];
    };
    const refused = await update({ collection, key, change }).catch((error) => error);
    expect([refused.code, attempts]).to.deep.equal(['StoreUnavailable', MAX_ATTEMPTS]);
  });

  it('work is repeated until it returns something, which may be null or false', async () => {
    for (const last of [null, false, 'done']) {
      const outcomes = [undefined, undefined, last, 'never'];
      expect(await retried(async () => outcomes.shift())).to.equal(last);
      expect(outcomes).to.deep.equal(['never']);
    }
  });

  it('a record that is missing is created, and one that others create at once has every change', async () => {
    const collection = delayed([0, 1, 2]);
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => upsert<Names>({ collection, key, change: (all = []) => [...all, name] })));
    expect((await collection.get(key))?.value.toSorted()).to.deep.equal(names);
  });

  it('all records of a parent are read, however many, and no other', async () => {
    const collection = delayed([0]);
    const ids = Array.from({ length: 450 }, (_, index) => String(index).padStart(3, '0'));
    for (const id of ids) await collection.insert({ parent: 'p', id, value: [] });
    await collection.insert({ parent: 'q', id: 'other', value: [] });
    const read: Stored<Names>[] = await readAll({ collection, parent: 'p', order: 'id' });
    expect(read.map(({ id }) => id)).to.deep.equal(ids);
  });

  it('all records are read in the order of their creation, also while others are removed between two pages', async () => {
    let now = 1000;
    const spec = { name: 'c', listed: true, sealed: false, afterRestore: 'kept' } as const;
    const collection: Collection<Names> = new MemoryStore({ now: () => now++ }).collection(spec);
    const ids = Array.from({ length: 450 }, (_, index) => String(900 - index));
    for (const id of ids) await collection.insert({ parent: 'p', id, value: [] });
    const pages: Collection<Names> = Object.assign(Object.create(collection), {
      list: async (query: PageQuery) => {
        const page = await collection.list(query);
        if (page[0]) await collection.remove(page[0]);
        return page;
      },
    });
    const read = await readAll({ collection: pages, parent: 'p' });
    expect(read.map(({ id }) => id)).to.deep.equal(ids);
  });
});
