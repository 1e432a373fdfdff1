import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemTurns } from '../../../adapters/system/system.ts';
import type { EntryState, StatusListChoice } from '../../../domain/credentials/status-entries.ts';
import { type DomainError, isDomainError } from '../../../domain/foundation/errors.ts';
import { IssuedRecords } from '../../../domain/issuer/issued/issued-records.ts';
import { EntryChanges } from '../../../domain/status/entry-changes.ts';
import type { EntryAction } from '../../../domain/status/entry-states.ts';
import { StatusTokens } from '../../../domain/status/status-tokens.ts';
import { allocationOn, CHOICES, entryRequest } from '../../support/status/status-entries.ts';

const ACTIONS: readonly EntryAction[] = ['revoke', 'suspend', 'lift'];
const CHOICE_LIST: readonly StatusListChoice[] = [
  CHOICES.bitstring,
  { ...CHOICES.bitstring, purpose: 'suspension' },
  CHOICES.list2021,
  CHOICES.jwt,
  CHOICES.cwt,
  { ...CHOICES.jwt, bits: 1 },
  { ...CHOICES.jwt, bits: 8 },
];

/** Which states entries of a list can have. */
const statesOf = ({ purpose, bits }: StatusListChoice): EntryState[] => {
  if (purpose !== undefined) return purpose === 'revocation' ? ['valid', 'revoked'] : ['valid', 'suspended'];
  return bits === 1 ? ['valid', 'revoked'] : ['valid', 'revoked', 'suspended'];
};

/** What each action makes of each state: the state after it, or the code of the refusal. */
const MODEL: Record<EntryAction, Record<EntryState, string>> = {
  revoke: { valid: 'revoked', suspended: 'revoked', revoked: 'revoked' },
  suspend: { valid: 'suspended', suspended: 'suspended', revoked: 'Conflict' },
  lift: { valid: 'Conflict', suspended: 'valid', revoked: 'Conflict' },
};

const needs: Record<EntryAction, EntryState> = { revoke: 'revoked', suspend: 'suspended', lift: 'suspended' };

/** Entries of one list in a store of their own. */
async function listOf(choice: StatusListChoice, count: number) {
  const clock = { time: 1000, now: () => clock.time };
  const store = new MemoryStore(clock);
  const { lists, issued, entries } = allocationOn(store);
  const request = { ...entryRequest(undefined, choice), names: { session: 'session' } };
  const places = (await entries.entries(request, count)).map(({ place }) => place);
  const records = new IssuedRecords({ store, clock });
  const changes = new EntryChanges({ lists, issued, clock, records, turns: systemTurns });
  return { lists, issued, places, clock, store, entries, records, changes };
}

const codeOf = (error: unknown): string => {
  if (isDomainError(error)) return (error as DomainError).code;
  throw error;
};

describe('changes of status entries', () => {
  const step = fc.record({ entry: fc.nat({ max: 2 }), action: fc.constantFrom(...ACTIONS) });

  it('of any sequence each is allowed or refused by the state before it, and list and history agree with the model', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...CHOICE_LIST), fc.array(step, { maxLength: 12 }), async (choice, steps) => {
        const { lists, places, changes, clock } = await listOf(choice, 3);
        const model = places.map(() => ({ state: 'valid' as EntryState, lines: [] as string[] }));
        const possible = statesOf(choice);
        for (const { entry, action } of steps) {
          clock.time += 1;
          const own = model[entry];
          const place = places[entry];
          if (!own || !place) throw new Error('There is no such entry');
          const expected = possible.includes(needs[action]) ? MODEL[action][own.state] : 'BadRequest';
          const outcome = await changes
            .change('', place, { action, reason: String(clock.time) })
            .then(({ state }) => state, codeOf);
          expect(outcome, `${action} of ${own.state}`).to.equal(expected);
          if (!possible.includes(outcome as EntryState) || outcome === own.state) continue;
          own.lines.push(`${clock.time} ${own.state} ${outcome}`);
          own.state = outcome as EntryState;
        }
        const statuses = await lists.statuses(places[0]?.list ?? '');
        for (const [n, { state, lines }] of model.entries()) {
          const place = places[n];
          if (!place) throw new Error('There is no such entry');
          const found = await changes.withState('', place);
          expect(found.state).to.equal(state);
          expect(statuses.has(place.index)).to.equal(state !== 'valid');
          expect(found.entry.value.history.map(({ at, from, to }) => `${at} ${from} ${to}`)).to.deep.equal(lines);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('that arrive at once take effect one after the other: the history is a chain from valid to the published state', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { places, changes } = await listOf(CHOICES.jwt, 3);
        await Promise.all(
          steps.map(({ entry, action }) => {
            const place = places[entry];
            return place && changes.change('', place, { action }).catch(codeOf);
          }),
        );
        for (const place of places) {
          const { state, entry } = await changes.withState('', place);
          const { history } = entry.value;
          for (const [n, { from }] of history.entries()) expect(from).to.equal(history[n - 1]?.to ?? 'valid');
          expect(state).to.equal(history.at(-1)?.to ?? 'valid');
        }
      }),
      { numRuns: 40 },
    );
  });

  it('that arrive at once leave the record of the credentials in the state of the one that is worth most', async () => {
    const names = { session: 'acme.s', issuer: 'acme' };
    const value = {
      sessionId: 's',
      configurationId: 'card',
      format: 'dc+sd-jwt',
      credentials: 3,
      state: 'valid',
    } as const;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const { entries, records, changes } = await listOf(CHOICES.jwt, 0);
        const of = async (record: string, count: number) => {
          await records.add({ parent: 'acme', id: record }, value, 1000);
          const request = { ...entryRequest(undefined, CHOICES.jwt), names: { ...names, record } };
          return (await entries.entries(request, count)).map(({ place }) => place);
        };
        const [places, [other]] = [await of('one', 3), await of('other', 1)];
        await changes.changeAll('', [other as (typeof places)[0]], () => ({ action: 'revoke' }));
        await Promise.all(
          steps.map(({ entry, action }) => {
            const place = places[entry];
            return place && changes.change('', place, { action }).catch(codeOf);
          }),
        );
        const found = await changes.allWithState('', await changes.placesOf('', { issuer: 'acme', record: 'one' }));
        expect(found).to.have.length(3);
        const states = found.map(({ state }) => state);
        const most = (['valid', 'suspended', 'revoked'] as const).find((state) => states.includes(state));
        expect((await records.get({ parent: 'acme', id: 'one' }))?.value.state).to.equal(most);
        expect((await records.get({ parent: 'acme', id: 'other' }))?.value.state).to.equal('revoked');
      }),
      { numRuns: 40 },
    );
  });

  it('finds every entry of a record, however many others its session and other sessions of that name have', async () => {
    const { entries, changes } = await listOf(CHOICES.jwt, 0);
    const placed = new Map<string, unknown>();
    for (const record of ['first', 'second']) {
      const request = { ...entryRequest(undefined, CHOICES.jwt), names: { session: 'acme.s', issuer: 'acme', record } };
      const made = (await entries.entries(request, 1001)).map(({ place }) => place);
      placed.set(
        record,
        made.toSorted((a, b) => `${a.list}.${a.index}`.localeCompare(`${b.list}.${b.index}`)),
      );
    }
    for (const [record, places] of placed) {
      const found = await changes.placesOf('', { issuer: 'acme', record });
      expect(found.toSorted((a, b) => `${a.list}.${a.index}`.localeCompare(`${b.list}.${b.index}`))).to.deep.equal(
        places,
      );
      expect(await changes.placesOf('', { issuer: 'another', record })).to.deep.equal([]);
    }
  });

  it('a change whose history was lost is completed by the same call', async () => {
    const { places, changes, lists } = await listOf(CHOICES.jwt, 1);
    const [place] = places;
    if (!place) throw new Error('There is no entry');
    await lists.change(place.list, place.index, () => 1);
    const { entry } = await changes.change('', place, { action: 'revoke', reason: 'again' });
    expect(entry.value.history).to.have.length(1);
    expect(entry.value.history[0]).to.include({ to: 'revoked', reason: 'again' });
  });

  it('keeps the last 100 changes of an entry', async () => {
    const { places, changes } = await listOf(CHOICES.jwt, 1);
    const [place] = places;
    if (!place) throw new Error('There is no entry');
    for (let n = 0; n < 102; n += 1)
      await changes.change('', place, { action: n % 2 === 0 ? 'suspend' : 'lift', reason: String(n) });
    const { history } = (await changes.withState('', place)).entry.value;
    expect(history.map(({ reason }) => Number(reason))).to.deep.equal(Array.from({ length: 100 }, (_, n) => n + 2));
  });

  it('changes at most 1,000 entries of one name, all of them at once', async () => {
    const { places, changes, lists, issued } = await listOf(CHOICES.jwt, 1000);
    const wanted = { action: 'revoke' } as const;
    const changed = await changes.changeNamed('', { session: 'session' }, wanted);
    expect(changed.map(({ state }) => state)).to.deep.equal(places.map(() => 'revoked'));
    expect((await lists.statuses(places[0]?.list ?? '')).size).to.equal(1000);
    await issued.insert('', { list: 'another', index: 1 }, { session: 'session' });
    const refusal = await changes.changeNamed('', { session: 'session' }, wanted).catch(codeOf);
    expect(refusal).to.equal('BadRequest');
  });

  it('another target has no part in them', async () => {
    const { places, changes } = await listOf(CHOICES.jwt, 1);
    const [place] = places;
    if (!place) throw new Error('There is no entry');
    expect(await changes.change('other', place, { action: 'revoke' }).catch(codeOf)).to.equal('NotFound');
    expect(await changes.changeNamed('other', { session: 'session' }, { action: 'revoke' }).catch(codeOf)).to.equal(
      'NotFound',
    );
  });
});

describe('status tokens', () => {
  it('a server has at most 100,000', async () => {
    const clock = { now: () => 1 };
    const store = new MemoryStore(clock);
    const full: typeof store = Object.assign(Object.create(store), {
      collection: (spec: never) => {
        const collection = store.collection<object>(spec);
        const ids = async ({ offset }: { offset: number }) => (offset === 99_999 ? ['last'] : []);
        return Object.assign(Object.create(collection), { ids });
      },
    });
    const ids = { uuid: () => '00000000-0000-4000-8000-000000000000' };
    const tokens = new StatusTokens({ store: full, ids, clock, publicUrl: 'https://a.example' });
    expect(await tokens.create().catch(codeOf)).to.equal('Overloaded');
  });
});
