import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { IssuedRecord } from '../../domain/issuer/issued/issued-record.ts';
import { IssuedRecords } from '../../domain/issuer/issued/issued-records.ts';
import type { IssuedFilter } from '../../domain/issuer/issued/issued-search.ts';
import { issuedAt, recordIdOf } from '../../domain/issuer/sessions/record-id.ts';
import type { Store } from '../../ports/store.ts';
import { CountingStore } from '../support/stores/counting-store.ts';
import { Actor } from '../support/stores/stepped-store.ts';
import { openStore, STORE_NAMES } from '../support/stores/stores.ts';
import type { StoreUnderTest } from './collection.contract.ts';

const KEPT_MS = 1_000_000;
const START = 1_000_000;

const CASES = ['File 1', 'File 2', undefined];
const PEOPLE = ['Ada', 'grace@example.org', undefined];
const TYPES = ['card', 'badge'];
const STATES = ['valid', 'suspended', 'revoked'] as const;

/** A record that was issued after so many milliseconds. */
interface Made {
  at: number;
  value: IssuedRecord;
}

const made: fc.Arbitrary<Omit<Made, 'at'> & { wait: number }> = fc.record({
  wait: fc.nat(3),
  value: fc.record({
    sessionId: fc.uuid(),
    configurationId: fc.constantFrom(...TYPES),
    format: fc.constant('dc+sd-jwt'),
    credentials: fc.constant(1),
    reference: fc.constantFrom(...CASES),
    recipient: fc.constantFrom(...PEOPLE),
    state: fc.constantFrom(...STATES),
  }),
});

const moment = fc.option(fc.integer({ min: START - 2, max: START + 40 }), { nil: undefined });
const filter: fc.Arbitrary<IssuedFilter> = fc.record({
  reference: fc.constantFrom(undefined, 'file  1', ' FILE 2 ', 'File'),
  recipient: fc.constantFrom(undefined, 'ADA', 'grace@example.org'),
  type: fc.constantFrom(undefined, ...TYPES),
  state: fc.constantFrom(undefined, ...STATES),
  from: moment,
  to: moment,
});

const plain = (text: string | undefined) => text?.trim().replace(/ +/g, ' ').toLowerCase();

/** Whether a filter wants a record, without any index. */
const wants = ({ reference, recipient, type, state, from, to }: IssuedFilter, { at, value }: Made): boolean =>
  (reference === undefined || plain(value.reference) === plain(reference)) &&
  (recipient === undefined || plain(value.recipient) === plain(recipient)) &&
  (type === undefined || value.configurationId === type) &&
  (state === undefined || value.state === state) &&
  (from === undefined || at >= from) &&
  (to === undefined || at <= to);

const idOf = ({ at, value }: Made): string => recordIdOf({ id: value.sessionId, requestedAt: at });

for (const name of STORE_NAMES)
  describe(`What an issuer issued, on ${name}`, () => {
    let under: StoreUnderTest;
    let records: IssuedRecords;
    let runs = 0;
    const clock = { now: () => under.clock.time };
    before(async () => {
      under = await openStore(name);
      records = new IssuedRecords({ store: under.store, clock });
    });
    after(() => under.close());
    beforeEach(() => {
      under.clock.time = START;
    });

    const keyOf = (parent: string, one: Made) => ({ parent, id: idOf(one) });

    async function add(parent: string, all: readonly (Omit<Made, 'at'> & { wait: number })[]): Promise<Made[]> {
      const added: Made[] = [];
      for (const { wait, value } of all) {
        under.clock.time += wait;
        const one = { at: under.clock.time, value };
        const { state, ...fresh } = value;
        await records.add(keyOf(parent, one), { ...fresh, state: 'valid' }, KEPT_MS);
        await records.follow(parent, idOf(one), async () => state);
        added.push(one);
      }
      return added;
    }

    const search = async (parent: string, wanted: IssuedFilter, page = { offset: 0, limit: 100 }) =>
      (await records.page({ parent, ...page }, wanted)).map(({ id }) => id);

    it('property: each search finds what a look at every record finds, the latest first, in any pages', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(made, { maxLength: 12 }),
          fc.array(filter, { minLength: 6, maxLength: 6 }),
          fc.integer({ min: 1, max: 5 }),
          async (all, filters, limit) => {
            const parent = `issuer-${++runs}`;
            under.clock.time = START;
            const added = await add(parent, all);
            await add(`${parent}-other`, all.slice(0, 1));
            for (const wanted of [{}, ...filters]) {
              const expected = added
                .filter((one) => wants(wanted, one))
                .map(idOf)
                .sort();
              expect(await search(parent, wanted), JSON.stringify(wanted)).to.deep.equal(expected);
              const pages: string[] = [];
              for (let offset = 0; offset < expected.length; offset += limit)
                pages.push(...(await search(parent, wanted, { offset, limit })));
              expect(pages).to.deep.equal(expected);
              for (const one of added)
                expect((await records.wanted(keyOf(parent, one), wanted)) !== undefined).to.equal(wants(wanted, one));
            }
          },
        ),
        { numRuns: name === 'memory' ? 60 : 8 },
      ));

    it('a state that changes while another change is noted is the one that the record and its index show at last', async () => {
      const parent = `issuer-${++runs}`;
      const [one] = await add(parent, [{ wait: 0, value: { ...VALUE, state: 'valid' } }]);
      const { id } = keyOf(parent, one as Made);
      let truth: IssuedRecord['state'] = 'valid';
      const note = async (state: IssuedRecord['state']): Promise<void> => {
        truth = state;
        await records.follow(parent, id, async () => truth);
      };
      await Promise.all(STATES.flatMap((state) => [note('suspended'), note('valid'), note(state)]));
      for (const state of STATES)
        expect(await search(parent, { state })).to.deep.equal(state === truth ? [id] : [], state);
      await records.follow('unknown', id, async () => 'revoked');
      expect((await records.get({ parent, id }))?.value.state).to.equal(truth);
    });

    it('is found by the rest when its recipient is forgotten, and by nothing when its issuer or its time is over', async () => {
      const parent = `issuer-${++runs}`;
      const [one, two] = await add(parent, [
        { wait: 1, value: { ...VALUE, state: 'revoked' } },
        { wait: 1, value: { ...VALUE, sessionId: 'two' } },
      ]);
      const [first, second] = [keyOf(parent, one as Made), keyOf(parent, two as Made)];
      expect(await search(parent, { recipient: 'ada' })).to.deep.equal([second.id, first.id]);
      for (let times = 0; times < 2; times += 1) expect(await records.removeRecipient(first)).to.equal(true);
      expect(await records.removeRecipient({ parent, id: 'unknown' })).to.equal(false);
      expect(await search(parent, { recipient: 'ada' })).to.deep.equal([second.id]);
      expect(await search(parent, { reference: 'file 1', state: 'revoked' })).to.deep.equal([first.id]);
      expect(JSON.stringify(await records.get(first))).not.to.contain('Ada');
      expect(issuedAt(first.id)).to.equal(START + 1);
      const kept = await add(`${parent}-other`, [{ wait: 0, value: VALUE }]);
      await records.removeAll(parent);
      for (const wanted of [{}, { reference: 'File 1' }, { recipient: 'Ada' }, { type: 'card' }, { state: 'revoked' }])
        expect(await search(parent, wanted as IssuedFilter)).to.deep.equal([]);
      expect(await search(`${parent}-other`, { recipient: 'Ada' })).to.deep.equal(kept.map(idOf));
      under.clock.time += KEPT_MS;
      expect(await search(`${parent}-other`, {})).to.deep.equal([]);
    });
  });

const VALUE: IssuedRecord = {
  sessionId: 'one',
  configurationId: 'card',
  format: 'dc+sd-jwt',
  credentials: 1,
  reference: 'File 1',
  recipient: 'Ada',
  state: 'valid',
};

/** Every value that the index can have for `VALUE` in some state, with or without its recipient. */
const INDEXED = [
  ['reference', 'file 1'],
  ['recipient', 'ada'],
  ['state', 'suspended'],
  ['state', 'revoked'],
  ['type', 'card'],
];

describe('Records of what was issued', () => {
  it('property: changes at the same time, step by step in any order, leave exactly the indexes of the record', async () => {
    const turns = fc.array(fc.nat({ max: 2 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...STATES), fc.constantFrom(...STATES), turns, async (first, last, order) => {
        const { store, close } = await openStore('memory');
        const on = (of: Store) => new IssuedRecords({ store: of, clock: { now: () => START } });
        const key = { parent: 'issuer', id: recordIdOf({ id: 'one', requestedAt: START }) };
        await on(store).add(key, VALUE, KEPT_MS);
        await on(store).follow(key.parent, key.id, async () => first);
        const follow = (of: Store) => on(of).follow(key.parent, key.id, async () => last);
        const actors = [
          new Actor(store, follow),
          new Actor(store, follow),
          new Actor(store, (of) => on(of).removeRecipient(key)),
        ];
        for (const at of order) await actors[at]?.step();
        for (const actor of actors) await actor.run();
        const spec = { name: 'issued-record-index', listed: true, hidden: 'parent', afterRestore: 'kept' } as const;
        const index = store.collection<object>(spec);
        const entered: (string | undefined)[][] = [];
        for (const indexed of INDEXED) {
          const parent = JSON.stringify([key.parent, ...indexed]);
          if ((await index.ids({ parent, order: 'id', offset: 0, limit: 1 })).length > 0) entered.push(indexed);
        }
        expect(actors.map(({ isDone }) => isDone)).to.deep.equal([true, true, true]);
        expect((await on(store).get(key))?.value)
          .to.include({ state: last })
          .and.not.have.property('recipient');
        expect(entered).to.deep.equal(
          INDEXED.filter(([kind, text]) => !/recipient|state/.test(`${kind}`) || text === last),
        );
        await close();
      }),
      { numRuns: 100 },
    );
  });

  it('are one record of an attempt and its indexes, and the same for another attempt', async () => {
    const under = await openStore('memory');
    const counting = new CountingStore(under.store);
    const records = new IssuedRecords({ store: counting, clock: { now: () => START } });
    const key = { parent: 'issuer', id: recordIdOf({ id: 'one', requestedAt: START }) };
    for (let attempt = 0; attempt < 2; attempt += 1) await records.add(key, VALUE, KEPT_MS);
    const all = [...Array(3).fill('issued-record-index insert'), 'issued-records insert'];
    expect(counting.done.toSorted()).to.deep.equal([...all, ...all].toSorted());
    expect(await records.page({ parent: 'issuer', offset: 0, limit: 9 }, {})).to.have.length(1);
    await under.close();
  });

  it('are looked through up to 5,000, and then the search is refused with what makes it shorter', async () => {
    const under = await openStore('memory');
    const records = new IssuedRecords({ store: under.store, clock: { now: () => START } });
    const parent = 'issuer';
    for (let n = 0; n < 5001; n += 1) {
      const id = recordIdOf({ id: 'one', requestedAt: START + n });
      await records.add({ parent, id }, { ...VALUE, state: n === 0 ? 'valid' : 'revoked' }, KEPT_MS);
    }
    const search = (wanted: IssuedFilter) => records.page({ parent, offset: 0, limit: 1 }, wanted);
    const refused = await search({ state: 'valid' }).catch((error) => error);
    expect(refused).to.be.instanceOf(DomainError);
    expect(refused.details[0].path).to.deep.equal(['from']);
    expect(await search({ state: 'valid', to: START + 4000 })).to.have.length(1);
    expect(await records.page({ parent, offset: 5000, limit: 9 }, { type: 'card' })).to.have.length(1);
    await under.close();
  });
});
