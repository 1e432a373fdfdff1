import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SqliteDatabase } from '../../adapters/sqlite/driver.ts';
import { openDatabase, SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';

const WRITES = 100;

describe('Commits of a SQLite file', () => {
  let folder: string;
  let file: string;
  let store: SqliteStore;
  let other: SqliteDatabase;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'credenza-commits-'));
    file = join(folder, 'credenza.sqlite');
    store = new SqliteStore(file, { now: () => 1_000_000 });
    other = openDatabase(file);
  });
  afterEach(async () => {
    other.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const insert = (id: string, name = 'things') =>
    store.collection({ name, listed: false, sealed: false, afterRestore: 'kept' }).insert({ id, value: id });
  const count = (table = 'things'): number =>
    (other.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
  const written = (): number => statSync(`${file}-wal`).size;

  it('the writes of one turn of the event loop share them, and each is answered after its own', async () => {
    await insert('first');
    const began = written();
    for (let n = 0; n < WRITES; n += 1) await insert(`alone-${n}`);
    const alone = written() - began;
    const seen: number[] = [];
    const write = async (n: number) => {
      await insert(`joint-${n}`);
      seen.push(count());
    };
    await Promise.all(Array.from({ length: WRITES }, (_, n) => write(n)));
    expect(new Set(seen)).to.deep.equal(new Set([1 + 2 * WRITES]));
    expect(written() - began - alone).to.be.below(alone / 4);
  });

  for (const failure of ['ABORT', 'ROLLBACK'])
    it(`a write that fails fails no other of its turn, also where SQLite undoes their commit (${failure})`, async () => {
      await insert('first');
      other.exec(`CREATE TRIGGER refusal BEFORE INSERT ON things WHEN NEW.id = 'bad'
        BEGIN SELECT RAISE(${failure}, 'refused'); END`);
      const ids = ['a', 'bad', 'b'];
      const outcomes = await Promise.allSettled([...ids.map((id) => insert(id)), insert('c', 'new_things')]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
      const refused = outcomes[1];
      expect(refused?.status === 'rejected' && isDomainError(refused.reason, 'StoreUnavailable')).to.equal(true);
      await insert('d', 'new_things');
      expect([count(), count('new_things')]).to.deep.equal([3, 2]);
    });

  it('a store that is closed has done the writes that were called before', async () => {
    await insert('first');
    const closing = new SqliteStore(file, { now: () => 1_000_000 });
    const things = closing.collection({ name: 'things', listed: false, sealed: false, afterRestore: 'kept' });
    await things.get({ id: 'first' });
    await things.insert({ id: 'second', value: 2 });
    // More than one commit has room for.
    const last = Array.from({ length: 300 }, (_, n) => things.insert({ id: `n${n}`, value: n }));
    await closing.close();
    await Promise.all(last);
    expect(count()).to.equal(302);
  });
});
