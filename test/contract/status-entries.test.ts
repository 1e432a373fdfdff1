import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { systemTurns } from '../../adapters/system/system.ts';
import type { StatusEntryRequest } from '../../domain/credentials/status-entries.ts';
import type { DomainError } from '../../domain/foundation/errors.ts';
import { IssuedRecords } from '../../domain/issuer/issued/issued-records.ts';
import { EntryChanges } from '../../domain/status/entry-changes.ts';
import { type EntryPosition, IssuedEntries } from '../../domain/status/issued-entries.ts';
import { allocationOn, CHOICES, entryRequest, placeOf } from '../support/status/status-entries.ts';
import { openStore, STORE_NAMES } from '../support/stores/stores.ts';
import type { StoreUnderTest } from './collection.contract.ts';

/** A request whose lists no other test has. */
const newRequest = (): StatusEntryRequest => ({ ...entryRequest(), target: randomUUID() });

const SMALL = { listEntries: 8192 };
/** Thousands of entries whose records no test reads. */
const UNRECORDED = Object.assign(Object.create(IssuedEntries.prototype), { insert: async () => undefined });

for (const name of STORE_NAMES)
  describe(`Entries of status lists on ${name}`, () => {
    let under: StoreUnderTest;
    before(async () => {
      under = await openStore(name);
    });
    after(() => under.close());

    it('concurrent calls of several instances are given different entries of the same list', async () => {
      const instances = [1, 2, 3, 4].map(() => allocationOn(under.store).entries);
      const request = newRequest();
      const given = await Promise.all(
        Array.from({ length: 80 }, (_, n) => instances[n % 4]?.allocate(request, 1 + (n % 3)) ?? []),
      );
      expect(given.map(({ length }) => length)).to.deep.equal(given.map((_, n) => 1 + (n % 3)));
      const places = given.flat().map(placeOf);
      expect(new Set(places.map(({ uri }) => uri)).size).to.equal(1);
      expect(new Set(places.map(({ idx }) => idx)).size).to.equal(places.length);
    });

    it('opens the next list when one is full, once for all instances, and uses no entry twice', async () => {
      const instances = [1, 2].map(() => allocationOn(under.store, { ...SMALL, issued: UNRECORDED }).entries);
      const request = newRequest();
      const given = await Promise.all([0, 1, 0, 1].map((n) => instances[n]?.allocate(request, 1500) ?? []));
      const places = given.flat().map(placeOf);
      expect(new Set(places.map(({ uri, idx }) => `${uri} ${idx}`)).size).to.equal(6000);
      expect(new Set(places.map(({ uri }) => uri)).size).to.equal(2);
    });

    it('the statuses of a list are set one by one, by concurrent instances too', async () => {
      const [one, other] = [allocationOn(under.store), allocationOn(under.store)];
      const [entry = {}] = await one.entries.allocate(newRequest(), 1);
      const { id } = placeOf(entry);
      expect([...(await one.lists.statuses(id))]).to.deep.equal([]);
      const indexes = [0, 1, 1023, 1024, 70_000, 131_071];
      await Promise.all(indexes.map((index, n) => (n % 2 ? one : other).lists.change(id, index, () => 1 + (n % 3))));
      const expected = indexes.map((index, n) => [index, 1 + (n % 3)]);
      expect([...(await other.lists.statuses(id))].sort(([a], [b]) => a - b)).to.deep.equal(expected);
      expect((await one.lists.get(id))?.value.changes).to.equal(indexes.length);
    });

    it('50 revocations at once, by two instances, are 50 statuses and 50 histories', async () => {
      const clock = { now: () => under.clock.time };
      const records = new IssuedRecords({ store: under.store, clock });
      const instances = [allocationOn(under.store), allocationOn(under.store)].map(({ entries, ...parts }) => ({
        entries,
        changes: new EntryChanges({ ...parts, clock, records, turns: systemTurns }),
      }));
      const request = newRequest();
      const places = (await instances[0]?.entries.entries(request, 50))?.map(({ place }) => place) ?? [];
      const revoke = (place: EntryPosition, n: number) =>
        instances[n % 2]?.changes.change(request.target, place, { action: 'revoke' });
      await Promise.all(places.map(revoke));
      const { lists } = allocationOn(under.store);
      const statuses = await lists.statuses(places[0]?.list ?? '');
      expect([...statuses].sort(([a], [b]) => a - b)).to.deep.equal(
        places.map(({ index }) => [index, 1] as const).sort(([a], [b]) => a - b),
      );
      const found = await instances[1]?.changes.allWithState(request.target, places);
      expect(found?.map(({ entry }) => entry.value.history.length)).to.deep.equal(places.map(() => 1));
    });
  });

describe('Entries of status lists', () => {
  let under: StoreUnderTest;
  before(async () => {
    under = await openStore('memory');
  });
  after(() => under.close());

  it('every issuer, kind, purpose, size and key has lists of its own', async () => {
    const { entries } = allocationOn(under.store);
    const request = newRequest();
    const { signer } = request;
    const variants: StatusEntryRequest[] = [
      request,
      { ...request, target: 'another' },
      { ...request, choice: CHOICES.cwt },
      { ...request, choice: { ...CHOICES.jwt, bits: 8 } },
      { ...request, signer: { ...signer, issuer: 'did:example:other' } },
      { ...request, signer: { ...signer, key: { ...signer.key, id: 'other' } } },
      { ...request, signer: { ...signer, key: { ...signer.key, config: { auth: 'other' } } } },
      { ...request, signer: { ...signer, x5c: ['certificate'] } },
    ];
    const lists = await Promise.all([...variants, ...variants].map((variant) => entries.allocate(variant, 1)));
    const ids = lists.flat().map((entry) => placeOf(entry).id);
    expect(new Set(ids).size).to.equal(variants.length);
    expect(ids.slice(variants.length)).to.deep.equal(ids.slice(0, variants.length));
  });

  it('the entry of a W3C credential names purpose, list and index as its specification does', async () => {
    const { entries } = allocationOn(under.store);
    for (const choice of [CHOICES.bitstring, CHOICES.list2021]) {
      const [entry = {}] = await entries.allocate({ ...newRequest(), choice }, 1);
      const { statusListCredential: list, statusListIndex: index } = entry;
      expect(index).to.match(/^(0|[1-9][0-9]*)$/);
      expect(entry).to.deep.equal({
        id: `${list}#${index}`,
        type: `${choice.kind}Entry`,
        statusPurpose: 'revocation',
        statusListIndex: index,
        statusListCredential: list,
      });
    }
  });

  it('a store that fails leaves no entry used twice: what was taken before is wasted', async () => {
    const request = newRequest();
    const taken = await allocationOn(under.store).entries.allocate(request, 5);
    // The instance ends here, before anything was issued; another one goes on.
    const after = await allocationOn(under.store).entries.allocate(request, 5);
    expect(new Set([...taken, ...after].map((entry) => placeOf(entry).idx)).size).to.equal(10);
  });

  it('a target has at most 10,000 series of lists; existing ones go on', async () => {
    const request = newRequest();
    const { entries } = allocationOn(under.store);
    await entries.allocate(request, 1);
    const full = allocationOn(under.store, { store: fullStore(under.store) }).entries;
    expect(await full.allocate(request, 1)).to.have.length(1);
    const other = { ...request, choice: CHOICES.cwt };
    const refusal = await full.allocate(other, 1).catch((error: DomainError) => error);
    expect(refusal).to.include({ code: 'Overloaded', retryAfterSeconds: 60 });
  });
});

/** A store whose lists have a record at every offset. */
const fullStore = (store: StoreUnderTest['store']): StoreUnderTest['store'] => ({
  collection: (spec) => {
    const collection = store.collection<never>(spec as never);
    return {
      insert: (record) => collection.insert(record as never),
      get: (key) => collection.get(key),
      replace: (record, revision) => collection.replace(record as never, revision),
      remove: (key) => collection.remove(key),
      take: (key) => collection.take(key),
      list: (query) => collection.list(query),
      ids: async ({ offset }) => (offset === 9999 ? ['last'] : []),
    };
  },
  ping: () => store.ping(),
  checkWritable: () => store.checkWritable(),
  close: () => store.close(),
});
