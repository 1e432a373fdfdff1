import { expect } from 'chai';
import fc from 'fast-check';
import type { Access } from '../../../domain/tenancy/access/access.ts';
import { AuditChains } from '../../../domain/tenancy/audit/audit-chains.ts';
import { AuditCheck } from '../../../domain/tenancy/audit/audit-check.ts';
import { type AuditEvent, type AuditFacts, hashOf, ZERO_HASH } from '../../../domain/tenancy/audit/audit-event.ts';
import type { AuditPageQuery } from '../../../domain/tenancy/audit/audit-query.ts';
import { AuditRetention } from '../../../domain/tenancy/audit/audit-retention.ts';
import { AuditTrail } from '../../../domain/tenancy/audit/audit-trail.ts';
import type { PageQuery, Store } from '../../../ports/store.ts';
import type { StoreUnderTest } from '../../contract/collection.contract.ts';
import { openStore } from '../../support/stores/stores.ts';

const DAY_MS = 86_400_000;

const facts = (n = 0): AuditFacts => ({
  outcome: n % 2 === 0 ? 'begun' : 'succeeded',
  action: 'generateKey',
  target: 'acme.t1',
  parameters: { sessionId: `s${n}` },
  account: 'a1',
  source: '192.0.2.7',
  requestId: `r${n}`,
});

for (const name of ['memory', 'sealed SQLite'])
  describe(`A chain of events, on ${name}`, () => {
    let world: StoreUnderTest;
    const clock = { now: () => world.clock.time };
    let chains: AuditChains;
    beforeEach(async () => {
      world = await openStore(name);
      world.clock.time = 100 * DAY_MS;
      chains = instance();
    });
    afterEach(() => world.close());

    /** What one instance of the server has. */
    function instance(): AuditChains {
      return new AuditChains({ store: world.store, clock, monotonicClock: clock });
    }
    const check = (after?: number) => new AuditCheck(instance()).run('acme', after);
    const append = async (count: number, by = chains) => {
      for (let n = 0; n < count; n += 1) await by.append('acme', facts(n));
    };
    const events = () =>
      world.store.collection<AuditEvent>({ name: 'audit-events', listed: true, sealed: true, afterRestore: 'kept' });
    const key = (sequence: number) => ({ parent: 'acme', id: String(sequence).padStart(16, '0') });
    const all = async () => (await instance().page('acme', 0)).events;

    it('links each event to the one before it by its hash', async () => {
      await append(4);
      const found = await all();
      expect(found.map(({ sequence }) => sequence)).to.deep.equal([1, 2, 3, 4]);
      expect(found.map(({ previous }) => previous)).to.deep.equal([
        ZERO_HASH,
        ...found.slice(0, 3).map(({ hash }) => hash),
      ]);
      expect(found.map(hashOf)).to.deep.equal(found.map(({ hash }) => hash));
      expect(await check()).to.deep.equal({ valid: true, checked: 4, last: { sequence: 4, hash: found[3]?.hash } });
    });

    it('loses nothing and has no fork when several instances append at once', async () => {
      const instances = [chains, instance(), instance()];
      await Promise.all(Array.from({ length: 60 }, (_, n) => instances[n % 3]?.append('acme', facts(n))));
      const found = await all();
      expect(found.map(({ sequence }) => sequence)).to.deep.equal(found.map((_, n) => n + 1));
      expect(found.map(({ requestId }) => requestId).sort()).to.deep.equal(
        Array.from({ length: 60 }, (_, n) => `r${n}`).sort(),
      );
      expect(await check()).to.include({ valid: true, checked: 60 });
    });

    it('has times that never go back, though clocks do', async () => {
      await append(1);
      world.clock.time -= 5000;
      await append(2, instance());
      const times = (await all()).map(({ time }) => time);
      expect(times).to.deep.equal(times.toSorted());
    });

    it('shows each event that was altered, removed or exchanged in the store, wherever it is', async () => {
      await append(8);
      const whole = await all();
      const alterations: Record<string, (event: AuditEvent) => Promise<unknown>> = {
        alter: (event) => rewrite(event.sequence, { ...event, account: 'a2' }),
        remove: (event) => events().remove(key(event.sequence)),
        forge: (event) => {
          const other = { ...event, account: 'a2' };
          return rewrite(event.sequence, { ...other, hash: hashOf(other) });
        },
      };
      const rewrite = async (sequence: number, value: AuditEvent) => {
        const record = await events().get(key(sequence));
        return events().replace({ ...key(sequence), value }, record?.revision ?? 0);
      };
      for (const [kind, alteration] of Object.entries(alterations))
        for (const event of whole) {
          await alteration(event);
          const { valid, break: found } = await check();
          expect(valid, `${kind} ${event.sequence}`).to.equal(false);
          // Only its successor shows that an event has a new hash; the last one's is kept with the chain.
          const shown = kind === 'forge' && event.sequence < whole.length ? event.sequence + 1 : event.sequence;
          expect(found?.sequence, `${kind} ${event.sequence}`).to.equal(shown);
          if (kind === 'remove') await restore(whole);
          else await rewrite(event.sequence, event);
          expect((await check()).valid, `after ${kind} ${event.sequence}`).to.equal(true);
        }
    });

    /** Writes all events again, so that the order of their creation is that of their numbers. */
    async function restore(whole: AuditEvent[]): Promise<void> {
      for (const { sequence } of whole) await events().remove(key(sequence));
      for (const value of whole) await events().insert({ ...key(value.sequence), value });
    }

    it('goes on after the last events were removed, and does not hide that', async () => {
      await append(6);
      for (const sequence of [5, 6]) await events().remove(key(sequence));
      await append(4, instance());
      expect((await check()).break).to.deep.equal({ sequence: 5, reason: 'The event is missing' });
    });

    it('shows that it was removed from the store as a whole, also after another one was begun', async () => {
      expect(await check()).to.deep.equal({ valid: true, checked: 0 });
      await append(3);
      for (const sequence of [1, 2, 3]) await events().remove(key(sequence));
      const spec = { name: 'audit-chains', listed: true, sealed: true, afterRestore: 'kept' } as const;
      await world.store.collection(spec).remove({ parent: '', id: 'acme' });
      expect((await check()).break).to.deep.equal({ sequence: 1, reason: 'The whole chain is missing' });
      await append(2, instance());
      expect((await check()).break).to.deep.equal({
        sequence: 1,
        reason: 'The whole chain was removed, and begun anew',
      });
    });

    it('that was removed with its name is missed by a caller that noted one of its numbers', async () => {
      expect(await check(3)).to.deep.include({
        valid: false,
        break: { sequence: 1, reason: 'The whole chain is missing' },
      });
    });

    it('is still valid after events were removed for their age, also all of them', async () => {
      const retention = new AuditRetention(chains, { retentionDays: 30 }, clock);
      await append(5);
      world.clock.time += 20 * DAY_MS;
      await append(3);
      world.clock.time += 15 * DAY_MS;
      await retention.run();
      expect((await all()).map(({ sequence }) => sequence)).to.deep.equal([6, 7, 8]);
      expect(await check()).to.include({ valid: true, checked: 3 });
      world.clock.time += 20 * DAY_MS;
      await retention.run();
      expect(await all()).to.deep.equal([]);
      expect(await check()).to.deep.include({ valid: true, checked: 0 });
      await append(2, instance());
      expect((await all()).map(({ sequence }) => sequence)).to.deep.equal([9, 10]);
      expect(await check()).to.include({ valid: true, checked: 2 });
      await events().remove(key(9));
      expect((await check()).break?.sequence).to.equal(9);
    });

    it('loses old events in the first quiet minute after a start, or after a busy hour, and then each hour', async () => {
      const start = () => new AuditRetention(chains, { retentionDays: 30 }, clock);
      const leftAfterMinute = async (retention: AuditRetention, calls: number): Promise<number> => {
        world.clock.time += 60_000;
        await retention.minute(calls);
        return (await all()).length;
      };
      const untilEmpty = async (retention: AuditRetention, callsOf: (minute: number) => number): Promise<number> => {
        let minute = 1;
        while ((await leftAfterMinute(retention, callsOf(minute))) > 0) minute += 1;
        return minute;
      };
      await append(2);
      world.clock.time += 31 * DAY_MS;
      const quiet = start();
      expect(await untilEmpty(quiet, (minute) => Math.min(minute, 2))).to.equal(3);
      await append(2);
      world.clock.time += 30 * DAY_MS - 10 * 60_000;
      await quiet.minute(2);
      expect(await untilEmpty(quiet, () => 2)).to.equal(60);
      await append(2);
      world.clock.time += 31 * DAY_MS;
      expect(await untilEmpty(start(), (minute) => minute)).to.equal(60);
    });

    it('is valid while a removal for age is half done', async () => {
      await append(6);
      const [, , third] = await all();
      await chains.noteRemoval('acme', { sequence: 3, hash: third?.hash ?? '' });
      await events().remove(key(1));
      expect(await check()).to.include({ valid: true, checked: 3 });
      expect(await check(4)).to.include({ valid: true, checked: 2 });
    });

    it('pages follow any number in both directions, regardless of what was removed', async () => {
      await append(30);
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 30 })),
          fc.integer({ min: 0, max: 40 }),
          fc.constantFrom('id' as const, 'id-' as const),
          async (gone, after, order) => {
            const whole = await all();
            for (const sequence of gone) await events().remove(key(sequence));
            const left = whole.filter(({ sequence }) => !gone.includes(sequence));
            const { events: found } = await chains.page('acme', after, order);
            await restore(whole);
            expect(found).to.deep.equal(
              order === 'id'
                ? left.filter(({ sequence }) => sequence > after)
                : left.filter(({ sequence }) => sequence < after).toReversed(),
            );
          },
        ),
        { numRuns: 15 },
      );
    });

    it('the newest page reads as many records of a long chain as of a short one, and a search only so many', async () => {
      let rows = 0;
      const counting: Store = {
        ...world.store,
        collection: (spec) =>
          new Proxy(world.store.collection(spec), {
            get:
              (target, method: 'list') =>
              async (...args: [PageQuery]) => {
                const found = await (target[method] as (...all: [PageQuery]) => Promise<unknown>)(...args);
                if (method === 'list') rows += (found as unknown[]).length;
                return found;
              },
          }),
      };
      const counted = new AuditChains({ store: counting, clock, monotonicClock: clock });
      const access = { requireSuperadmin: async () => undefined } as unknown as Access;
      const trail = new AuditTrail({ access, chains: counted, check: new AuditCheck(counted) });
      const read = async (query: Partial<AuditPageQuery>): Promise<number> => {
        rows = 0;
        await trail.page({ caller: 'a' }, async () => ({ limit: 100, order: 'newest', subtree: true, ...query }));
        return rows;
      };
      const reads: number[] = [];
      for (const count of [300, 2000]) {
        for (let n = 0; n < count; n += 1) await chains.append('', facts(n));
        reads.push(await read({}), await read({ order: 'oldest' }));
      }
      expect(reads).to.deep.equal([200, 201, 200, 201]);
      expect(await read({ action: 'none' })).to.be.at.most(2000);
    });
  });
