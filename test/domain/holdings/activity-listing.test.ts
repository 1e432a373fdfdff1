import { setImmediate } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemIds } from '../../../adapters/system/system.ts';
import { isoMillis } from '../../../domain/foundation/time.ts';
import { type Activity, ActivityLog } from '../../../domain/holdings/activity.ts';
import { ActivityListing } from '../../../domain/holdings/activity-listing.ts';
import {
  type ActivityQueryTexts,
  type LoggedActivity,
  readActivityQuery,
} from '../../../domain/holdings/activity-query.ts';
import type { Store } from '../../../ports/store.ts';
import { silentLog } from '../../support/servers/silent-log.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 20);

function world(kept?: number) {
  const clock = { time: START, now: () => clock.time };
  const store = new MemoryStore(clock);
  const log = new ActivityLog({ store, ids: systemIds, log: silentLog }, kept);
  const listing = new ActivityListing({ store });
  const all = (owner: string) => listing.latest(owner, 1_000_000).then((latest) => latest.reverse());
  return { clock, store, log, listing, all };
}

type World = ReturnType<typeof world>;

/** The pages of a list until there is no next one, and what happens between them. */
async function pages({ listing }: World, texts: ActivityQueryTexts, limits: number[], between?: () => Promise<void>) {
  const found: LoggedActivity[] = [];
  let startingAfter = texts.startingAfter;
  for (let page = 0; ; page += 1) {
    const limit = limits[page % limits.length] ?? 1;
    const { items, next } = await listing.page('w', { ...readActivityQuery({ ...texts, startingAfter }), limit });
    expect(items.length).to.be.at.most(limit);
    found.push(...items);
    if (next === undefined) return found;
    expect(items).to.have.length(limit);
    startingAfter = next;
    await between?.();
  }
}

const activity: fc.Arbitrary<Activity> = fc.oneof(
  fc.record({
    event: fc.constant('Key' as const),
    action: fc.constantFrom('Create' as const, 'Sign' as const),
    data: fc.constant({}),
  }),
  fc.record({
    event: fc.constant('Credential' as const),
    action: fc.constantFrom('Receive' as const, 'Present' as const),
    data: fc.constant({}),
    originator: fc.constantFrom('did:web:a', 'https://verifier.example.org', 'ä=,&'),
    credentialId: fc.constantFrom('c1', 'c2', 'c3'),
  }),
);
/** Activities, each with the time that passes before it; clocks step back too. */
const recorded = fc.array(fc.tuple(activity, fc.integer({ min: -2 * DAY, max: 2 * DAY })), { maxLength: 40 });
const filters = fc.uniqueArray(
  fc.constantFrom(
    'event=Key',
    'event=Credential',
    'action=Sign',
    'Action=Present',
    'originator=wallet',
    'originator=ä=,&',
    'credentialId=c1',
    'credentialid=c2',
    'tenant=',
    'tenant=acme',
    'timestamp=2026-11-20',
    'addedOn=2026-11-21',
    'createdOn=2026-11-19',
  ),
  { maxLength: 3 },
);
const sortBy = fc.constantFrom(
  undefined,
  'timestamp',
  'addedOn',
  'createdOn',
  'event',
  'action',
  'originator',
  'credentialId',
  'tenant',
);
const limits = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 });

async function record({ clock, log }: World, activities: [Activity, number][]): Promise<void> {
  for (const [one, ms] of activities) {
    clock.time += ms;
    await log.record('w', one);
    await log.record('other', one);
  }
}

/** What the list has to contain, said in the plainest way. */
function model(all: LoggedActivity[], texts: ActivityQueryTexts): LoggedActivity[] {
  const valuesOf = (one: LoggedActivity): Record<string, string> => ({
    event: one.event,
    action: one.action,
    originator: one.originator,
    credentialid: one.credentialId ?? '',
    tenant: '',
    time: isoMillis(one.at).slice(0, 10),
  });
  const wanted: Record<string, string[]> = {};
  for (const text of texts.filter ?? []) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    const key = /^(timestamp|addedOn|createdOn)$/.test(name) ? 'time' : name.toLowerCase();
    wanted[key] = [...(wanted[key] ?? []), value];
  }
  const matching = all.filter((one) =>
    Object.entries(wanted).every(([key, values]) => values.includes(valuesOf(one)[key] ?? '')),
  );
  const column = /^(event|action|originator|credentialId)$/.test(texts.sortBy ?? '')
    ? texts.sortBy?.toLowerCase()
    : undefined;
  const sorted = column === undefined ? matching : stableSort(matching, (one) => valuesOf(one)[column] ?? '');
  return texts.sortOrder === 'desc' ? sorted.reverse() : sorted;
}

const stableSort = <T>(items: T[], key: (item: T) => string): T[] =>
  [...items].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));

describe('lists of the event log', () => {
  it('the pages of any list, joined, are the list, for any filter, order and sizes of pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        recorded,
        filters,
        sortBy,
        fc.constantFrom('asc', 'desc'),
        limits,
        async (activities, filter, by, sortOrder, sizes) => {
          const here = world();
          await record(here, activities);
          const texts = { filter, sortBy: by, sortOrder };
          expect(await pages(here, texts, sizes)).to.deep.equal(model(await here.all('w'), texts));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('the order is that of recording, however the clock steps back, and desc is the exact reverse of asc', async () => {
    await fc.assert(
      fc.asyncProperty(recorded, sortBy, async (activities, by) => {
        const here = world();
        const numbered = activities.map(([one, ms], index) => [{ ...one, data: { index } }, ms] as [Activity, number]);
        await record(here, numbered);
        const inTime = await pages(here, {}, [100]);
        expect(inTime.map(({ data }) => data.index)).to.deep.equal(numbered.map((_, index) => index));
        const [ascending, descending] = [
          await pages(here, { sortBy: by, sortOrder: 'ASC' }, [100]),
          await pages(here, { sortBy: by, sortOrder: 'DESC' }, [100]),
        ];
        expect(descending).to.deep.equal([...ascending].reverse());
      }),
      { numRuns: 100 },
    );
  });

  it('an event that exists all the time is on exactly one page, while others are recorded, removed and trimmed', async () => {
    await fc.assert(
      fc.asyncProperty(
        recorded,
        filters,
        fc.constantFrom('asc', 'desc'),
        limits,
        fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { minLength: 1, maxLength: 5 }),
        async (activities, filter, sortOrder, sizes, steps) => {
          const here = world(45);
          await record(here, activities);
          const before = await here.all('w');
          const texts = { filter, sortOrder };
          let step = 0;
          const found = await pages(here, texts, sizes, async () => {
            const [added = 0, removed = 0] = steps[step++] ?? [];
            for (let count = 0; count < added; count += 1)
              await here.log.record('w', { event: 'Did', action: 'Create', data: {} });
            for (const { id } of (await here.all('w')).slice(0, removed)) await here.listing.remove('w', id);
          });
          const after = new Set((await here.all('w')).map(({ id }) => id));
          const throughout = before.filter(({ id }) => after.has(id));
          const ids = found.map(({ id }) => id);
          expect(new Set(ids).size).to.equal(ids.length);
          const wanted = model(throughout, texts).map(({ id }) => id);
          expect(ids.filter((id) => wanted.includes(id))).to.deep.equal(wanted);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('an index starts after the item of that number in the filtered list, and one below zero at its start', async () => {
    const here = world();
    const key: Activity = { event: 'Key', action: 'Sign', data: {} };
    await record(
      here,
      Array.from({ length: 7 }, () => [key, 1]),
    );
    const all = await here.all('w');
    for (const [startingAfter, first] of Object.entries({ '-1': 0, '-20': 0, '0': 1, '4': 5, '99': 7 })) {
      const query = readActivityQuery({ startingAfter, filter: ['event=Key'] });
      expect((await here.listing.page('w', { ...query, limit: 10 })).items, startingAfter).to.deep.equal(
        all.slice(first),
      );
    }
  });

  it('names every parameter that is wrong', () => {
    const failureOf = (texts: ActivityQueryTexts): unknown => {
      try {
        readActivityQuery(texts);
      } catch (error) {
        return (error as { details: { path: unknown[] }[] }).details.map(({ path }) => path.join('/'));
      }
      return undefined;
    };
    expect(
      failureOf({ sortBy: 'colour', sortOrder: 'up', startingAfter: 'x', filter: ['event=Key', 'key'] }),
    ).to.deep.equal(['sortBy', 'sortOrder', 'filter/1', 'startingAfter']);
    for (const filter of [
      '',
      '=',
      'colour=red',
      'timestamp=yesterday',
      'timestamp=2026-02-30',
      'timestamp=2026-11-22T10:00:00Z',
      '__proto__=a',
    ])
      expect(failureOf({ filter: [filter] }), filter).to.deep.equal(['filter/0']);
    const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const good = cursor(['timestamp', '', 5]);
    expect(failureOf({ startingAfter: good })).to.equal(undefined);
    expect(failureOf({ startingAfter: good, sortBy: 'addedOn', sortOrder: 'Asc' })).to.equal(undefined);
    for (const startingAfter of [
      cursor(['timestamp', '', 'x']),
      cursor(['timestamp', '']),
      cursor({}),
      cursor(['-timestamp', '', 5]),
      `${good}=`,
      '1e2',
      '05',
      '+5',
      '1.0',
      '-0',
    ])
      expect(failureOf({ startingAfter }), startingAfter).to.deep.equal(['startingAfter']);
    expect(failureOf({ startingAfter: good, sortBy: 'event' })).to.deep.equal(['startingAfter']);
  });

  it('counts the presentations of each credential', async () => {
    const here = world();
    const present = (credentialId: string): Activity => ({
      event: 'Credential',
      action: 'Present',
      data: {},
      credentialId,
    });
    const accept: Activity = { event: 'Credential', action: 'Accept', data: {}, credentialId: 'c9' };
    await record(
      here,
      [present('c1'), present('c2'), accept, present('c3'), present('c2'), accept, accept].map((one) => [one, 1]),
    );
    expect(await here.listing.presentedMost('w')).to.deep.equal(['c2', 'c3', 'c1']);
    expect(await here.listing.presentedMost('empty')).to.deep.equal([]);
  });
});

describe('the memory that an order by value needs', () => {
  it('is that of a few batches, not that of all activities with their data', async () => {
    v8.setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = vm.runInNewContext('gc');
    const { log, store } = world();
    for (let left = 1500; left > 0; left -= 1)
      await log.record('w', { event: 'Did', action: 'Import', data: { did: `did:web:${left}` } });
    const read: WeakRef<object>[] = [];
    let most = 0;
    const watched: Pick<Store, 'collection'> = {
      collection: (spec) => {
        const real = store.collection(spec);
        const list: typeof real.list = async (page) => {
          await setImmediate();
          collectGarbage();
          most = Math.max(most, read.filter((one) => one.deref()).length);
          await setImmediate();
          const records = await real.list(page);
          read.push(...records.map((record) => new WeakRef((record.value as Activity).data)));
          return records;
        };
        return new Proxy(real, {
          get: (target, name) => (name === 'list' ? list : Reflect.get(target, name).bind(target)),
        });
      },
    };
    const listing = new ActivityListing({ store: watched as Store });
    const { items } = await listing.page('w', { ...readActivityQuery({ sortBy: 'event' }), limit: 5 });
    expect(items).to.have.length(5);
    expect(read.length).to.be.at.least(1500);
    expect(most).to.be.at.most(500);
  });
});
