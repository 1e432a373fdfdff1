import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { DomainError, ignoring } from '../../../domain/foundation/errors.ts';
import { readAll, update } from '../../../domain/foundation/records.ts';
import { recordsAfter } from '../../../domain/foundation/seek.ts';
import { ownStores, type WalletShape, WalletStores } from '../../../domain/holdings/places/wallet-stores.ts';
import type { CollectionSpec } from '../../../ports/store.ts';

const SPEC: CollectionSpec<{ n: number }> = { name: 'things', listed: true, sealed: false, afterRestore: 'kept' };
const WALLET = 'w';
const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const place = fc.constantFrom('first', 'second', 'third');

const shape = (...places: string[]): WalletShape => ({
  stores: { ...ownStores(WALLET), keys: places.map((one) => ({ id: one, place: one })) },
});

async function open(...places: string[]) {
  const clock = { time: 0, now: () => clock.time };
  const store = new MemoryStore(clock);
  const stores = new WalletStores({ store, clock });
  if (places.length > 0) await stores.define(WALLET, shape(...places));
  return { clock, raw: store.collection(SPEC), records: stores.collection('keys', SPEC) };
}

describe('the places of a wallet', () => {
  it('read as one in which the first place with a record wins, in every order and page by page', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ id: fc.constantFrom(...IDS), in: place, later: fc.nat(1) }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 4 }),
        async (writes, size) => {
          const places = ['first', 'second', 'third'];
          const { clock, raw, records } = await open(...places);
          const all: { id: string; in: string; n: number; at: number }[] = [];
          for (const [n, { id, in: parent, later }] of writes.entries()) {
            clock.time += later;
            const stored = await raw.insert({ id, parent, value: { n } }).catch(ignoring('Conflict'));
            if (stored) all.push({ id, in: parent, n, at: stored.createdAt });
          }
          const rank = (one: { in: string }): number => places.indexOf(one.in);
          const seen = all.filter((one) => !all.some((two) => two.id === one.id && rank(two) < rank(one)));
          const byTime = seen.sort((left, right) => left.at - right.at || (left.id < right.id ? -1 : 1));
          for (const id of IDS)
            expect((await records.get({ id, parent: WALLET }))?.value.n).to.equal(seen.find((one) => one.id === id)?.n);
          const read: number[] = [];
          for await (const { value, parent } of recordsAfter({
            collection: records,
            parent: WALLET,
            order: 'created+',
            size,
          })) {
            expect(parent).to.equal(WALLET);
            read.push(value.n);
          }
          expect(read).to.deep.equal(byTime.map(({ n }) => n));
          const paged: string[] = [];
          for (let offset = 0; offset < IDS.length; offset += size)
            paged.push(...(await records.ids({ parent: WALLET, order: 'id', offset, limit: size })));
          const ids = byTime.map(({ id }) => id).sort();
          expect(paged).to.deep.equal(ids);
          const back = await records.ids({ parent: WALLET, order: 'id-', offset: 0, limit: 10 });
          expect(back).to.deep.equal(ids.reverse());
          const oldest = places.map((one) => all.find((record) => record.in === one)).find(Boolean);
          expect((await records.oldest(WALLET))?.value.n).to.equal(oldest?.n);
        },
      ),
    ));

  it('take new records in the first, refuse those that another has, and change and remove each where it is', async () => {
    const { raw, records } = await open('first', 'second');
    await raw.insert({ id: 'b', parent: 'second', value: { n: 1 } });
    await records.insert({ id: 'a', parent: WALLET, value: { n: 1 } });
    expect((await raw.get({ id: 'a', parent: 'first' }))?.value).to.deep.equal({ n: 1 });
    const again = await records.insert({ id: 'b', parent: WALLET, value: { n: 2 } }).catch(({ code }) => code);
    expect(again).to.equal('Conflict');
    await update({ collection: records, key: { id: 'b', parent: WALLET }, change: ({ n }) => ({ n: n + 1 }) });
    expect((await raw.get({ id: 'b', parent: 'second' }))?.value).to.deep.equal({ n: 2 });
    expect((await records.take({ id: 'b', parent: WALLET }))?.value).to.deep.equal({ n: 2 });
    expect(await records.remove({ id: 'a', parent: WALLET })).to.equal(true);
    expect(await readAll({ collection: records, parent: WALLET })).to.deep.equal([]);
    expect(await records.isFull(WALLET, 1)).to.equal(false);
  });

  it('of a wallet without any take nothing, say so, and show nothing', async () => {
    const { clock, raw } = await open();
    const store = new MemoryStore(clock);
    const stores = new WalletStores({ store, clock });
    await stores.define(WALLET, { stores: { ...ownStores(WALLET), dids: [] } });
    const records = stores.collection('dids', SPEC);
    expect(await records.list({ parent: WALLET, order: 'id', offset: 0, limit: 10 })).to.deep.equal([]);
    for (const refused of [records.insert({ id: 'a', parent: WALLET, value: { n: 1 } }), records.isFull(WALLET, 1)]) {
      const error = await refused.catch((failure: unknown) => failure);
      expect(error).to.be.instanceOf(DomainError);
      expect(error).to.include({ code: 'BadRequest', message: 'This wallet has no DID store' });
    }
    expect(await raw.ids({ parent: WALLET, order: 'id', offset: 0, limit: 1 })).to.deep.equal([]);
  });
});
