import { expect } from 'chai';
import { PostgresStore } from '../../adapters/postgres/postgres-store.ts';
import { pagesOf, RECORD_STATEMENTS } from '../../adapters/postgres/statements.ts';
import { LAST_WRITE_KEPT_MS } from '../../domain/foundation/last-writes.ts';
import type { Collection, Order } from '../../ports/store.ts';
import { silentLog } from '../support/servers/silent-log.ts';
import { type PostgresServer, sharedPostgres } from '../support/stores/postgres.ts';
import { openStore, postgresSettings, rawOf } from '../support/stores/stores.ts';
import type { StoreUnderTest } from './collection.contract.ts';

const THINGS = { name: 'things', listed: true, sealed: false, afterRestore: 'kept' as const };
const SINGLE = { name: 'single', listed: false, sealed: false, afterRestore: 'kept' as const };
const MARK = { collection: 'last-writes', listed: false, parent: 'things' };

describe('Records in PostgreSQL', () => {
  let server: PostgresServer;
  let under: StoreUnderTest;
  let things: Collection<number>;
  beforeEach(async () => {
    server = await sharedPostgres();
    under = await openStore('PostgreSQL');
    under.clock.time = 1_000_000;
    things = under.store.collection<number>(THINGS);
  });
  afterEach(() => under.close());

  it('have keys of any length and any characters, in the order of their bytes, also in a copy', async () => {
    const long = 'did:jwk:'.padEnd(8192, 'x');
    const ids = ['a', 'a\0', 'a\0b', `${long}a`, `${long}b`, long.slice(0, 1300), 'é'];
    for (const parent of ['p', 'org.'.repeat(2000)]) {
      for (const [n, id] of ids.entries()) await things.insert({ parent, id, value: n });
      for (const [n, id] of ids.entries())
        expect(await things.get({ parent, id })).to.include({ parent, id, value: n });
      const page = { parent, order: 'id' as const, offset: 0, limit: 100 };
      const all = await things.ids(page);
      expect(all).to.have.members(ids);
      const short = (listed: string[]) => listed.filter((id) => id.length <= 1200);
      expect(short(all)).to.deep.equal(['a', 'a\0', 'a\0b', 'é']);
      // Each id begins a page of what follows it, long ones too.
      for (const [place, after] of all.entries())
        expect(await things.ids({ ...page, after })).to.deep.equal(all.slice(place + 1));
      expect((await things.list(page)).map(({ id, parent: own }) => [own, id])).to.deep.equal(
        all.map((id) => [parent, id]),
      );
    }
    const raw = rawOf(under);
    const copied = [];
    for await (const records of raw.records(3)) copied.push(...records);
    expect(copied.map(({ id }) => id).toSorted()).to.deep.equal([...ids, ...ids].toSorted());
    expect(await raw.get(copied)).to.deep.equal(copied);
    await raw.close();
  });

  it('keep the time of the last write when its record goes, and of a copy nothing is kept', async () => {
    const parent = 'p'.repeat(1500);
    await things.insert({ parent, id: 'a', value: 1 });
    await things.insert({ parent, id: 'b', value: 1 });
    await things.remove({ parent, id: 'a' });
    const raw = rawOf(under);
    const mark = { ...MARK, id: parent };
    expect(await raw.get([mark])).to.deep.equal([undefined]);
    await things.remove({ parent, id: 'b' });
    const at = 1_000_001;
    const times = { revision: 1, createdAt: at, updatedAt: at, expiresAt: at + LAST_WRITE_KEPT_MS };
    expect(await raw.get([mark])).to.deep.equal([{ ...mark, body: String(at), ...times }]);
    await things.insert({ parent: 'q', id: 'a', value: 1 });
    await raw.delete([{ collection: 'things', listed: true, parent: 'q', id: 'a' }]);
    expect(await raw.get([{ ...MARK, id: 'q' }])).to.deep.equal([undefined]);
    await raw.close();
  });

  it('are written together while another write to their parent is under way, each with its own outcome', async () => {
    const inserted = await Promise.allSettled(
      Array.from({ length: 300 }, (_, n) => things.insert({ id: `${n % 200}`, value: n })),
    );
    expect(inserted.filter(({ status }) => status === 'fulfilled')).to.have.length(200);
    const replaced = await Promise.allSettled(
      Array.from({ length: 300 }, (_, n) => things.replace({ id: `${n % 200}`, value: -n }, 1)),
    );
    expect(replaced.filter(({ status }) => status === 'fulfilled')).to.have.length(200);
    const times = (await things.list({ parent: '', order: 'updated+', offset: 0, limit: 300 })).map(
      ({ updatedAt }) => updatedAt,
    );
    expect(new Set(times).size).to.equal(200);
  });

  it('are found by their key alone, and pages by the index of their order, while the table has no statistics', async () => {
    await Promise.all(Array.from({ length: 500 }, (_, n) => things.insert({ parent: 'p', id: `${n}`, value: n })));
    const planOf = async (statement: string, values: string): Promise<string> => {
      const off = ['seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin'].map((plan) => `SET enable_${plan} = off;`);
      const rows = await server.query(`SET search_path TO "${under.shared.postgres?.schema}"; ${off.join(' ')}
        PREPARE probe AS ${statement}; EXPLAIN EXECUTE probe(${values})`);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    const { get } = RECORD_STATEMENTS.listed_records;
    expect(await planOf(get.text, `'things', 'p', '7', 0`)).to.match(/Scan using listed_records_pkey/);
    const indexes = { id: 'pkey', 'id-': 'pkey', 'created+': 'by_created', 'updated-': 'by_updated' };
    for (const [order, index] of Object.entries(indexes)) {
      const { list } = pagesOf(false)[order as Order];
      const plan = await planOf(list.text, `'things', 'p', 0, 10, 100`);
      expect(plan, order).to.match(new RegExp(`Index Only Scan (Backward )?using listed_records_${index}`));
      expect(plan, order)
        .to.match(/Scan using listed_records_pkey/)
        .and.not.match(/Sort|Join/);
    }
  });

  it('find their tables again after the schema was dropped, without a restart', async () => {
    const single = under.store.collection<number>(SINGLE);
    await single.insert({ id: 'a', value: 1 });
    await things.insert({ id: 'a', value: 1 });
    await server.query(`DROP SCHEMA "${under.shared.postgres?.schema}" CASCADE`);
    const found = await Promise.all([
      single.get({ id: 'a' }),
      things.list({ parent: '', order: 'id', offset: 0, limit: 1 }),
    ]);
    expect(found).to.deep.equal([undefined, []]);
    await server.query(`DROP SCHEMA "${under.shared.postgres?.schema}" CASCADE`);
    expect(await things.insert({ id: 'a', value: 2 })).to.include({ revision: 1 });
  });

  it('have their tables made once by many processes that start at once; a newer version of them is refused', async () => {
    const settings = postgresSettings([server]);
    const open = () => new PostgresStore(settings, { clock: under.clock as never, log: silentLog });
    const stores = Array.from({ length: 6 }, open);
    await Promise.all(stores.map((store) => store.ping()));
    await Promise.all(stores.map((store) => store.close()));
    await server.query(`INSERT INTO "${settings.schema}".schema_versions VALUES (99)`);
    const late = open();
    const error = await late.ping().catch((cause: unknown) => cause);
    expect(error).to.include({ code: 'StoreUnavailable' });
    expect(String((error as { detail: string }).detail)).to.match(/Its tables are of version 99, which only a newer/);
    await late.close();
  });

  it('need no right to create where the tables exist', async () => {
    const { schema } = under.shared.postgres ?? { schema: '' };
    await under.store.ping();
    await server.query(`CREATE ROLE guest LOGIN PASSWORD 'guest'; GRANT USAGE ON SCHEMA "${schema}" TO guest;
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO guest`);
    const settings = { ...postgresSettings([server]), schema, user: 'guest', password: 'guest' };
    const guest = new PostgresStore(settings, { clock: under.clock as never, log: silentLog });
    expect(await guest.collection<number>(THINGS).insert({ id: 'by-guest', value: 1 })).to.include({ revision: 1 });
    await guest.checkWritable();
    await guest.close();
    await server.query('DROP OWNED BY guest; DROP ROLE guest');
  });
});
