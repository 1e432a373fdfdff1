import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { plain } from '../../adapters/cli/colors.ts';
import { GuardedStore } from '../../adapters/decorators/migration/guarded-store.ts';
import { SqliteCopy } from '../../adapters/sqlite/sqlite-copy.ts';
import { SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { migrate } from '../../composition/commands/migrate.ts';
import type { CollectionSpec, Store } from '../../ports/store.ts';
import { pause } from '../support/runs/waiting.ts';
import { silentLog } from '../support/servers/silent-log.ts';
import { type RedisNode, startNode } from '../support/stores/redis.ts';
import { redisStore } from '../support/stores/stores.ts';

const CODES: CollectionSpec<{ n: number }> = { name: 'codes', listed: false, sealed: false, afterRestore: 'kept' };
/** The most pages that are read in one turn of the event loop: one of each side and one from just before. */
const PAGES_PER_TURN = 3;

/** A database with its name on the command line. */
interface Place {
  address: string;
  open(): Store;
}

describe('migrate, run again', () => {
  let folder: string;
  let node: RedisNode;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-migration-'));
    node = await startNode();
  });
  after(async () => {
    await node.stop();
    await rm(folder, { recursive: true });
  });

  async function sqlite(): Promise<Place> {
    const own = await mkdtemp(join(folder, 'data-'));
    return { address: `sqlite:${own}`, open: () => new SqliteStore(join(own, 'credenza.sqlite'), systemClock) };
  }
  function redis(): Place {
    const keyPrefix = `again-${randomUUID()}:`;
    const settings = { cluster: false, nodes: [node], user: '', password: '', tls: false, keyPrefix };
    return {
      address: `redis://${node.host}:${node.port}?prefix=${keyPrefix}`,
      open: () => redisStore(settings, systemClock),
    };
  }

  /** The message of the failure, or what was printed. */
  async function run(from: Place, to: Place, err: (text: string) => void = () => {}): Promise<string> {
    let printed = '';
    const out = (text: string): void => {
      printed += text;
    };
    const around = { environment: {}, colors: plain, out, err };
    return migrate({ from: from.address, to: to.address }, around).then(
      () => printed,
      (error: Error) => error.message,
    );
  }
  const brokenOff = (from: Place, to: Place): Promise<string> =>
    run(from, to, (text) => {
      if (text.includes('comparing')) throw new Error('broken off');
    });

  async function using<R>(place: Place, work: (store: Store) => Promise<R>): Promise<R> {
    const store = place.open();
    return work(store).finally(() => store.close());
  }
  const add = (place: Place, id: string, expiresAt?: number) =>
    using(place, (store) => store.collection(CODES).insert({ id, value: { n: 1 }, expiresAt }));
  const has = (place: Place, id: string) =>
    using(place, async (store) => (await store.collection(CODES).get({ id })) !== undefined);
  const claim = (place: Place) =>
    using(place, (store) =>
      new GuardedStore(store, { clock: systemClock, program: '0', log: silentLog, verify: async () => {} }).claim(),
    ).then(
      () => 'claimed',
      (error: Error) => error.message,
    );

  const pairs = [
    ['SQLite to Redis', sqlite, redis],
    ['Redis to SQLite', redis, sqlite],
  ] as const;
  for (const [name, makeSource, makeTarget] of pairs) {
    it(`${name}: a run that succeeded on an idle source can be repeated until a server starts on the target`, async () => {
      const [from, to] = [await makeSource(), await makeTarget()];
      await add(from, 'first');
      expect(await run(from, to)).to.match(/have the same content\. 1 records/);
      await add(from, 'second');
      expect(await run(from, to)).to.match(/have the same content\. 1 records/);
      expect(await run(from, to)).to.match(/have the same content\. 0 records/);
      expect([await has(to, 'first'), await has(to, 'second')]).to.deep.equal([true, true]);
      expect(await claim(to)).to.equal('claimed');
      expect(await run(from, to)).to.include('The target has data of its own');
    });

    it(`${name}: records that the source lost between the runs are removed, however soon they would have expired`, async () => {
      const [from, to] = [await makeSource(), await makeTarget()];
      await add(from, 'kept');
      // A comparison omits records that expire within twice the time of copying, here two seconds.
      const soon = Date.now() + 3000;
      await add(from, 'soon', soon);
      await run(from, to);
      await using(from, (store) => store.collection(CODES).take({ id: 'soon' }));
      const slowly = (text: string): void => {
        // Holds the thread without work for the processor.
        if (text.includes('copying')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      };
      expect(await run(from, to, slowly)).to.match(/have the same content\. 0 records/);
      expect(Date.now(), 'the test ran too slowly').to.be.below(soon);
      expect([await has(to, 'kept'), await has(to, 'soon')]).to.deep.equal([true, false]);
    });

    it(`${name}: records that ended at the source after they were copied are not valid at the target`, async () => {
      const [from, to] = [await makeSource(), await makeTarget()];
      await add(from, 'kept');
      await add(from, 'shortened', Date.now() + 3_600_000);
      await run(from, to);
      await using(from, (store) => {
        const past = { id: 'shortened', value: { n: 2 }, expiresAt: Date.now() - 1 };
        return store.collection(CODES).replace(past, 1);
      });
      expect(await run(from, to)).to.match(/have the same content\. 0 records/);
      expect(await has(to, 'shortened')).to.equal(false);
    });

    it(`${name}: no server uses an unfinished copy, and none is copied from or overwritten`, async () => {
      const [from, to, other] = [await makeSource(), await makeTarget(), await makeSource()];
      await add(from, 'a');
      await add(other, 'b');
      expect(await brokenOff(from, to)).to.equal('broken off');
      expect(await claim(to)).to.match(
        /^The store is a half-finished copy of .* Run credenza migrate from there again/,
      );
      await using(to, async (store) => {
        const guarded = new GuardedStore(store, {
          clock: systemClock,
          program: '0',
          log: silentLog,
          verify: async () => {},
        });
        const uses = [guarded.ping(), guarded.collection(CODES).get({ id: 'a' })];
        for (const use of await Promise.allSettled(uses))
          expect(use).to.have.nested.property('reason.code', 'StoreUnavailable');
      });
      expect(await run(to, await makeSource())).to.match(/^The source is a half-finished copy of /);
      expect(await run(other, to)).to.match(/^The target is a copy of .*, not of /);
      expect(await run(from, to)).to.include('have the same content');
      expect(await run(other, to)).to.match(/^The target is a copy of .*, not of /);
      expect(await claim(to)).to.equal('claimed');
      expect(await has(to, 'a')).to.equal(true);
    });
  }

  describe('with 4,000 records', () => {
    let from: Place;
    before(async () => {
      from = await sqlite();
      const copy = new SqliteCopy(join(from.address.slice('sqlite:'.length), 'credenza.sqlite'), {
        fileMustExist: false,
        pause: async () => {},
      });
      const [now, body] = [Date.now(), JSON.stringify({ n: 1, text: 'x'.repeat(2000) })];
      const known = {
        collection: 'codes',
        listed: false,
        parent: '',
        body,
        revision: 1,
        createdAt: now,
        updatedAt: now,
      };
      for (let n = 0; n < 4000; n += 1000)
        await copy.put(Array.from({ length: 1000 }, (_, k) => ({ ...known, id: `c${n + k}` })));
      await copy.close();
    });

    it('reads SQLite page by page: timers and sockets of the process are served between two pages', async () => {
      let [turn, isOver] = [0, false];
      const turns = (): void => {
        turn += 1;
        if (!isOver) setImmediate(turns);
      };
      turns();
      const pages = new Map<number, number>();
      const result = await run(from, redis(), () => pages.set(turn, (pages.get(turn) ?? 0) + 1));
      isOver = true;
      expect(result).to.match(/have the same content\. 4000 records/);
      expect(Math.max(...pages.values())).to.be.at.most(PAGES_PER_TURN);
    });

    it('waits in each step for a store that does not answer, prints that, and succeeds', async () => {
      let text = '';
      const steps = new Set<string>();
      const result = await run(from, redis(), (line) => {
        text += line;
        const [, step] = /^ {2}(copying|comparing): (?!0 )/.exec(line) ?? [];
        if (step === undefined || steps.has(step)) return;
        steps.add(step);
        node.pause();
        void pause(1200).then(() => node.resume());
      });
      expect([...steps]).to.deep.equal(['copying', 'comparing']);
      expect(text).to.match(/redis:\/\/\S+ fails \(.*\); next try in 250 ms\n/);
      expect(result).to.include('have the same content.');
    });
  });
});
