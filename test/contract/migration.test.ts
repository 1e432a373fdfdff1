import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { plain } from '../../adapters/cli/colors.ts';
import { PostgresStore } from '../../adapters/postgres/postgres-store.ts';
import type { RedisStore } from '../../adapters/redis/redis-store.ts';
import { SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { migrate } from '../../composition/commands/migrate.ts';
import type { CollectionSpec, Order, Store } from '../../ports/store.ts';
import { silentLog } from '../support/servers/silent-log.ts';
import { LOGIN, type PostgresServer, sharedPostgres } from '../support/stores/postgres.ts';
import { type RedisNode, sharedCluster, sharedNode } from '../support/stores/redis.ts';
import { postgresSettings, redisStore } from '../support/stores/stores.ts';

const THINGS: CollectionSpec<{ n: number }> = {
  name: 'issuance-sessions',
  listed: false,
  sealed: false,
  afterRestore: 'kept',
};
const LISTED: CollectionSpec<{ n: number }> = {
  name: 'wallet-keys',
  listed: true,
  sealed: false,
  afterRestore: 'kept',
};
const ORDERS: Order[] = ['id', 'created+', 'updated-'];
const PARENTS = ['', 'a:b', '{p}'];

/** A database with its name on the command line. */
interface Target {
  address: string;
  open(clock?: { now(): number }): Store;
}

/** The outcome of one call of the command. */
interface Run {
  code: number;
  out: string;
  err: string;
}

async function run(from: Target, to: Target): Promise<Run> {
  const result: Run = { code: -1, out: '', err: '' };
  const around = {
    environment: {},
    colors: plain,
    out: (text: string) => {
      result.out += text;
    },
    err: (text: string) => {
      result.err += text;
    },
  };
  result.code = await migrate({ from: from.address, to: to.address }, around);
  return result;
}

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fulfilled',
    (error: Error) => error.message,
  );

describe('migrate', () => {
  let folder: string;
  let node: RedisNode;
  let cluster: RedisNode[];
  let server: PostgresServer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-migration-'));
    node = await sharedNode();
    cluster = (await sharedCluster()).nodes;
    server = await sharedPostgres();
  });
  after(() => rm(folder, { recursive: true }));

  async function sqlite(): Promise<Target> {
    const own = await mkdtemp(join(folder, 'data-'));
    const file = join(own, 'credenza.sqlite');
    return { address: `sqlite:${own}`, open: (clock = systemClock) => new SqliteStore(file, clock) };
  }
  function redis(isCluster: boolean): Target {
    const keyPrefix = `migration-${randomUUID()}:`;
    const nodes = isCluster ? cluster : [node];
    const places = nodes.map(({ host, port }) => `${host}:${port}`).join(',');
    const settings = { cluster: isCluster, nodes, user: '', password: '', tls: false, keyPrefix };
    return {
      address: `redis${isCluster ? '-cluster' : ''}://${places}?prefix=${keyPrefix}`,
      open: (clock = systemClock): RedisStore => redisStore(settings, clock),
    };
  }

  function postgres(): Target {
    const schema = `migration_${randomUUID().replaceAll('-', '')}`;
    const settings = { ...postgresSettings([server]), schema };
    const { user, password, database } = LOGIN;
    return {
      address: `postgresql://${user}:${password}@${server.host}:${server.port}/${database}?schema=${schema}`,
      open: (clock = systemClock) => new PostgresStore(settings, { clock, log: silentLog }),
    };
  }

  /** Records of every kind: replaced ones, expiring ones, unusual parents and ids, equal times. */
  async function fill(target: Target, count = 300): Promise<void> {
    const clock = { time: Date.now() - 100_000, now: () => clock.time };
    const store = target.open(clock);
    const [things, listed] = [store.collection(THINGS), store.collection(LISTED)];
    for (let n = 0; n < count; n += 1) {
      clock.time += n % 3;
      const expiresAt = n % 4 === 0 ? Date.now() + 3_600_000 : undefined;
      await things.insert({ id: `é:${n}`, value: { n }, expiresAt });
      await listed.insert({ parent: PARENTS[n % 3], id: `k${n}`, value: { n }, expiresAt });
      if (n % 5 === 0) await listed.replace({ parent: PARENTS[n % 3], id: `k${n}`, value: { n: -n } }, 1);
    }
    await store.close();
  }

  async function contents(target: Target, count = 300): Promise<unknown> {
    const store = target.open();
    const [things, listed] = [store.collection(THINGS), store.collection(LISTED)];
    const singles = await Promise.all(Array.from({ length: count }, (_, n) => things.get({ id: `é:${n}` })));
    const lists = PARENTS.flatMap((parent) =>
      ORDERS.map((order) => listed.list({ parent, order, offset: 0, limit: 1000 })),
    );
    const all = [singles, await Promise.all(lists)];
    await store.close();
    return all;
  }

  it('copies each store to each other one, and nothing differs', async () => {
    const COUNT = 100;
    const ways = 's r c r p c p r s p s';
    const makers = { s: sqlite, r: () => redis(false), c: () => redis(true), p: postgres };
    const steps = await Promise.all(ways.split(' ').map((kind) => makers[kind as keyof typeof makers]()));
    const [first] = steps as [Target];
    await fill(first, COUNT);
    const expected = await contents(first, COUNT);
    for (const [index, from] of steps.slice(0, -1).entries()) {
      const to = steps[index + 1] as Target;
      const { code, out, err } = await run(from, to);
      expect(code).to.equal(0);
      expect(out).to.match(/Both stores have the same content\. 200 records were written/);
      expect(out)
        .to.match(/issuance-sessions +100 +[0-9a-f]{64}\n/)
        .and.match(/wallet-keys +100 +[0-9a-f]{64}\n/);
      expect(err)
        .to.match(/copying: \d+ records/)
        .and.match(/comparing/);
      expect(await contents(to, COUNT)).to.deep.equal(expected);
    }
  });

  it('continues an interrupted run, writing only the missing records', async () => {
    const [from, to] = [await sqlite(), redis(false)];
    await fill(from, 1000);
    const around = { environment: {}, colors: plain, out: () => {}, err: breakOff };
    function breakOff(text: string): void {
      if (text !== '') throw new Error('broken off');
    }
    expect(await messageOf(migrate({ from: from.address, to: to.address }, around))).to.equal('broken off');
    const { out } = await run(from, to);
    expect(out).to.include('Both stores have the same content. 1500 records were written.');
  });

  it('copies what the source added, changed and removed since an unfinished run', async () => {
    for (const to of [redis(true), postgres()]) await copiesWhatChanged(await sqlite(), to);
  });

  async function copiesWhatChanged(from: Target, to: Target): Promise<void> {
    await fill(from, 20);
    const around = { environment: {}, colors: plain, out: () => {}, err: leave };
    function leave(text: string): void {
      if (text.includes('comparing')) throw new Error('broken off');
    }
    await messageOf(migrate({ from: from.address, to: to.address }, around));
    const store = from.open();
    await store.collection(THINGS).take({ id: 'é:3' });
    await store.collection(LISTED).remove({ parent: PARENTS[1], id: 'k4' });
    await store.collection(LISTED).replace({ parent: PARENTS[2], id: 'k2', value: { n: 77 } }, 1);
    await store.collection(THINGS).insert({ id: 'new', value: { n: 1 } });
    await store.close();
    expect((await run(from, to)).code).to.equal(0);
    expect(await contents(to, 20)).to.deep.equal(await contents(from, 20));
  }

  it('copies while the source is written to, then asks to stop it or succeeds', async () => {
    const [from, to] = [await sqlite(), redis(false)];
    await fill(from, 50);
    const store = from.open();
    let isOver = false;
    const writing = (async () => {
      for (let n = 0; !isOver; n += 1) {
        await store.collection(THINGS).insert({ id: `live${n}`, value: { n } });
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const message = await messageOf(run(from, to));
    isOver = true;
    await writing;
    await store.close();
    expect([
      'fulfilled',
      'The source is being written to. Nearly everything is copied: stop its servers and run this again',
    ]).to.include(message);
    if (message !== 'fulfilled') expect((await run(from, to)).code).to.equal(0);
    expect(await contents(to, 50)).to.deep.equal(await contents(from, 50));
  });

  it('copies the times of last writes: new records of the target are later than removed ones of the source', async () => {
    const steps = [await sqlite(), redis(false), redis(true), await sqlite(), postgres(), redis(false), postgres()];
    const behind = { now: () => Date.now() - 3_600_000 };
    const record = { parent: PARENTS[1], value: { n: 1 } };
    let last = 0;
    for (const [index, target] of steps.entries()) {
      const store = target.open(index === 0 ? systemClock : behind);
      const listed = store.collection(LISTED);
      await listed.insert({ ...record, id: `kept${index}` });
      const { createdAt } = await listed.insert({ ...record, id: 'removed' });
      expect(createdAt).to.be.greaterThan(last);
      last = createdAt;
      await listed.remove({ parent: record.parent, id: 'removed' });
      await store.close();
      const next = steps[index + 1];
      if (next) expect((await run(target, next)).code).to.equal(0);
    }
  });

  it('refuses a target with other data and an empty source', async () => {
    const [from, to, empty] = [await sqlite(), redis(false), redis(true)];
    await fill(from, 5);
    await fill(to, 3);
    expect(await messageOf(run(from, to))).to.include('The target has data');
    expect(await messageOf(run(empty, redis(false)))).to.equal('The source is empty');
    expect(await messageOf(run(from, from))).to.equal('Both stores are the same');
  });

  it('names the store that does not answer, and never a password', async () => {
    const from = await sqlite();
    await fill(from, 1);
    const nowhere = (address: string): Target => ({ ...from, address });
    expect(await messageOf(run(from, nowhere('redis://u:sesame@127.0.0.1:1')))).to.match(
      /^redis:\/\/127\.0\.0\.1:1\?prefix=credenza: cannot be opened: /,
    );
    expect(await messageOf(run(from, nowhere('postgresql://u:sesame@127.0.0.1:1/d?sslmode=verify-full')))).to.match(
      /^postgresql:\/\/127\.0\.0\.1:1\/d\?schema=credenza cannot be opened: /,
    );
    expect(await messageOf(run(nowhere('sqlite:/nowhere'), from))).to.match(/^sqlite:\/nowhere cannot be opened/);
    for (const wrong of [
      'redis:sesame',
      'redis://a:1,b:2',
      'redis://h',
      'redis://h:0',
      'redis://h:65536',
      'ftp://h:1',
      'postgres://h:1/d',
    ])
      expect(await messageOf(run(from, nowhere(wrong)))).to.match(/^A store is written as/);
  });
});
