import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openSqlite, type SqliteDatabase } from '../../adapters/sqlite/driver.ts';
import { ExpiredRows, SPARE_PAGES, STEP } from '../../adapters/sqlite/expired-rows.ts';
import { openDatabase, SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import { pause } from '../support/runs/waiting.ts';

const TABLE = `CREATE TABLE things (rowid INTEGER PRIMARY KEY, parent TEXT NOT NULL, id TEXT NOT NULL,
  body TEXT NOT NULL, revision INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
  expires INTEGER, UNIQUE (parent, id)) STRICT;
  CREATE INDEX things_by_expires ON things (expires) WHERE expires IS NOT NULL;
  CREATE INDEX things_by_id ON things (parent, id, expires);
  CREATE INDEX things_by_created ON things (parent, created, id, expires);
  CREATE INDEX things_by_updated ON things (parent, updated, id, expires);`;

describe('The SQLite file', () => {
  const clock = { time: 1_000_000, now: () => clock.time };
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'credenza-file-'));
    file = join(folder, 'credenza.sqlite');
    clock.time = 1_000_000;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Rows that expire one millisecond from now, of about 1 KB each. */
  function fill(database: SqliteDatabase, table: string, count: number): void {
    const insert = database.prepare(
      `INSERT INTO ${table} (parent, id, body, revision, created, updated, expires) VALUES ('', ?, ?, 1, 1, 1, ?)`,
    );
    const all = database.transaction(() => {
      for (let n = 0; n < count; n += 1) insert.run(`id${n}`, JSON.stringify('x'.repeat(1000)), clock.time + 1);
    });
    all();
  }

  /** A table is created by the first use of its collection. */
  const makeTable = (store: SqliteStore, name: string, listed = false): Promise<unknown> =>
    store.collection({ name, listed, sealed: false, afterRestore: 'kept' }).get({ id: 'any' });
  const countOf = (database: SqliteDatabase, table: string): number =>
    (database.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;

  it('deletes expired rows in steps of a bounded number of rows and pages, table by table, and shrinks', async () => {
    const store = new SqliteStore(file, clock);
    for (const name of ['ones', 'others']) await makeTable(store, name, name === 'ones');
    const database = openDatabase(file);
    fill(database, 'ones', 2000);
    fill(database, 'others', 2000);
    const rows = new ExpiredRows(database, clock);
    expect(rows.step()).to.equal(false);
    clock.time += 1;
    const left = (): number[] => [countOf(database, 'ones'), countOf(database, 'others')];
    expect([rows.step(), ...left()]).to.deep.equal([true, 2000 - STEP.rows, 2000]);
    expect([rows.step(), ...left()]).to.deep.equal([true, 2000 - STEP.rows, 2000 - STEP.rows]);
    for (let isOver = false; !isOver; isOver = left().join() === '0,0') rows.step();
    const free = (): number => Number(database.pragma('freelist_count', { simple: true }));
    const before = free();
    expect(before).to.be.greaterThan(SPARE_PAGES + STEP.pages);
    expect([rows.step(), free()]).to.deep.equal([true, before - STEP.pages]);
    while (rows.step());
    expect(free()).to.be.at.most(SPARE_PAGES);
    database.pragma('wal_checkpoint(TRUNCATE)');
    expect(statSync(file).size).to.be.below((SPARE_PAGES + 100) * 4096);
    database.close();
    await store.close();
  });

  it('deletes them by a timer, without a write of a caller, until the store is closed', async () => {
    const store = new SqliteStore(file, clock);
    await makeTable(store, 'ones');
    const database = openDatabase(file);
    fill(database, 'ones', 3 * STEP.rows);
    clock.time += 1;
    const deadline = performance.now() + 20_000;
    while (countOf(database, 'ones') > 0) {
      expect(performance.now()).to.be.below(deadline);
      await pause(20);
    }
    await store.close();
    fill(database, 'ones', 1);
    clock.time += 1;
    await pause(1200);
    expect(countOf(database, 'ones')).to.equal(1);
    database.close();
  });

  it('continues to delete after another process released the write lock', async () => {
    const store = new SqliteStore(file, clock);
    await makeTable(store, 'ones');
    const [database, other] = [openSqlite(file, { timeout: 0 }), openDatabase(file)];
    fill(other, 'ones', 1);
    clock.time += 1;
    const rows = new ExpiredRows(database, clock);
    other.exec('BEGIN IMMEDIATE');
    expect(() => rows.step()).to.throw('database is locked');
    other.exec('COMMIT');
    expect([rows.step(), countOf(other, 'ones')]).to.deep.equal([true, 0]);
    for (const each of [database, other]) each.close();
    await store.close();
  });

  it('without a page map is usable: equal times keep their order, new elements follow, expired rows are deleted', async () => {
    const old = openSqlite(file);
    old.pragma('journal_mode = WAL');
    old.exec(TABLE);
    const insert = old.prepare(`INSERT INTO things (parent, id, body, revision, created, updated, expires)
      VALUES ('p', ?, '{"n":1}', 1, 2000000, 2000000, ?)`);
    for (const id of ['b', 'a', 'c']) insert.run(id, null);
    fill(old, 'things', 2000);
    old.close();
    for (let opened = 0; opened < 2; opened += 1) await new SqliteStore(file, clock).close();
    const store = new SqliteStore(file, clock);
    const things = store.collection<{ n: number }>({
      name: 'things',
      listed: true,
      sealed: false,
      afterRestore: 'kept',
    });
    clock.time += 1;
    const page = { parent: 'p', offset: 0, limit: 10 };
    expect(await things.ids({ ...page, order: 'created+' })).to.deep.equal(['a', 'b', 'c']);
    expect(await things.ids({ ...page, order: 'created-' })).to.deep.equal(['c', 'b', 'a']);
    for (const id of ['a', 'b', 'c']) await things.remove({ parent: 'p', id });
    expect(await things.insert({ parent: 'p', id: 'new', value: { n: 2 } })).to.include({ createdAt: 2_000_001 });
    const database = openDatabase(file);
    const rows = new ExpiredRows(database, clock);
    while (rows.step());
    expect(countOf(database, 'things')).to.equal(1);
    // Its free pages are kept and reused.
    expect(database.pragma('freelist_count', { simple: true })).to.be.greaterThan(SPARE_PAGES);
    database.close();
    await store.close();
  });

  it('keeps the time of the last write for a day after a removal', async () => {
    const store = new SqliteStore(file, clock);
    const things = store.collection<{ n: number }>({
      name: 'things',
      listed: true,
      sealed: false,
      afterRestore: 'kept',
    });
    const database = openDatabase(file);
    const rows = new ExpiredRows(database, clock);
    await things.insert({ parent: 'p', id: 'a', value: { n: 1 } });
    await things.remove({ parent: 'p', id: 'a' });
    clock.time += 86_400_000 - 1;
    expect([rows.step(), countOf(database, 'last_writes')]).to.deep.equal([false, 1]);
    clock.time += 1;
    expect([rows.step(), countOf(database, 'last_writes')]).to.deep.equal([true, 0]);
    database.close();
    await store.close();
  });
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
  const FILES = ['', '-wal', '-shm'];

  it('and the files beside it are for their owner alone, with any umask', async () => {
    const before = process.umask(0);
    try {
      const store = new SqliteStore(file, clock);
      await makeTable(store, 'ones');
      expect(FILES.map((ending) => modeOf(file + ending))).to.deep.equal(['600', '600', '600']);
      await store.close();
    } finally {
      process.umask(before);
    }
  });

  it('of an earlier version that others could read is corrected, with the files beside it, by each way to open it', async () => {
    const open = [() => new SqliteStore(file, clock), () => openDatabase(file, { fileMustExist: true })];
    const first = new SqliteStore(file, clock);
    await makeTable(first, 'ones');
    for (const opened of open) {
      for (const ending of FILES) chmodSync(file + ending, 0o664);
      await opened().close();
      expect(FILES.map((ending) => modeOf(file + ending))).to.deep.equal(['600', '600', '600']);
    }
    await first.close();
  });
});
