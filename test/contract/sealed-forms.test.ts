import { expect } from 'chai';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { SealedStore } from '../../adapters/decorators/sealing/sealed-store.ts';
import { openSqlite } from '../../adapters/sqlite/driver.ts';
import { systemClock, systemRandom } from '../../adapters/system/system.ts';
import { bodyOf, bytesOf } from '../../domain/foundation/bodies.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { Migration } from '../../domain/migration/migration.ts';
import { Resealing } from '../../domain/migration/resealing.ts';
import { restore } from '../../domain/migration/restoration.ts';
import type { CollectionSpec } from '../../ports/store.ts';
import type { RawKey, RawStore } from '../../ports/store-copy.ts';
import { openStore, rawOf } from '../support/stores/stores.ts';
import type { StoreUnderTest } from './collection.contract.ts';

/** What 0.9.0 wrote under a master key of 32 sevens. */
const OLD = {
  seal: '{"keys":["5BHC4ZcZ"],"digests":"5BHC4ZcZ.yfhXhhoEQxAOteULbrM1DMvkXcPAgLTZGVlUN4ALArMqhsGTnNXQ_05aXG-FMNhCXKUi1Gof_ZZPmPtK_OY0w7LisdSCyzY"}',
  listed: '"5BHC4ZcZ.AHH13rhr6k6aw_9tFR5WjN7egMsj8Iodesigd8ZzULZA9_RNX1aQWR6i_tsngPoPP3GmLw"',
  single: '"5BHC4ZcZ.0WkWDLHShARFcBp80I_U4jN0mR22CoyK75jMBkPF3wWU_qip84W9DZDs4JzB2w"',
};
const secrets = new AesSecrets([Buffer.alloc(32, 7)], systemRandom);

type Thing = { n: number; text: string };
const LISTED: CollectionSpec<Thing> = { name: 'old-things', listed: true, sealed: true, afterRestore: 'kept' };
const SINGLE: CollectionSpec<Thing> = { name: 'old-single', listed: false, sealed: true, afterRestore: 'kept' };
const A = { parent: 'p', id: 'a' };
const B = { id: 'b' };
const KEYS: RawKey[] = [
  { collection: LISTED.name, listed: true, ...A },
  { collection: SINGLE.name, listed: false, parent: '', ...B },
];
const FIRST = { n: 1, text: 'é 😀' };
const SECOND = { n: 2, text: 'b' };

const table = (name: string): string => `CREATE TABLE ${name} (rowid INTEGER PRIMARY KEY, parent TEXT NOT NULL,
  id TEXT NOT NULL, body TEXT NOT NULL, revision INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
  expires INTEGER, UNIQUE (parent, id)) STRICT;
  CREATE INDEX ${name}_by_expires ON ${name} (expires) WHERE expires IS NOT NULL;`;

/** Writes the tables and rows of 0.9.0. */
function fillSqlite(file: string): void {
  const database = openSqlite(file);
  database.exec(['seal', 'old_things', 'old_single'].map(table).join(''));
  for (const order of ['id', 'created, id', 'updated, id'])
    database.exec(`CREATE INDEX old_things_by_${order.replace(', id', '')} ON old_things (parent, ${order}, expires)`);
  const rows: [string, string, string, string][] = [
    ['seal', '', 'probe', OLD.seal],
    ['old_things', A.parent, A.id, OLD.listed],
    ['old_single', '', B.id, OLD.single],
  ];
  for (const [name, parent, id, body] of rows)
    database
      .prepare(`INSERT INTO ${name} (parent, id, body, revision, created, updated) VALUES (?, ?, ?, 3, 1000, 2000)`)
      .run(parent, id, body);
  database.close();
}

/** Writes the keys of 0.9.0. */
async function fillRedis(host: string, port: number, prefix: string): Promise<void> {
  const client = new Redis(port, host);
  const group = `${prefix}l:{old-things:p}:`;
  await client.set(`${prefix}s:seal::probe`, `3 1000 2000 - ${OLD.seal}`);
  await client.set(`${prefix}s:old-single::b`, `3 1000 2000 - ${OLD.single}`);
  await client.hset(`${group}r`, A.id, `3 1000 2000 - ${OLD.listed}`);
  await client.zadd(`${group}i`, 0, A.id);
  await client.zadd(`${group}c`, 1000, A.id);
  await client.zadd(`${group}u`, 2000, A.id);
  client.disconnect();
}

describe('The body of a record', () => {
  it('property: among texts, each text and all bytes are read as what they were', () =>
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.uint8Array()), (body) => {
        const read = bodyOf(bytesOf(body));
        expect(typeof read === 'string' ? read : new Uint8Array(read)).to.deep.equal(body);
      }),
    ));
});

for (const name of ['SQLite', 'Redis'])
  describe(`What 0.9.0 sealed on ${name}`, () => {
    let under: StoreUnderTest;
    let raw: RawStore;
    beforeEach(async () => {
      under = await openStore(name);
      under.clock.time = 10_000;
      const { file, redis } = under.shared;
      const { host, port } = redis?.nodes[0] ?? { host: '', port: 0 };
      if (file) fillSqlite(file);
      else await fillRedis(host, port, redis?.keyPrefix ?? '');
      raw = rawOf(under);
    });
    afterEach(async () => {
      await raw.close();
      await under.close();
    });
    const open = (): SealedStore => new SealedStore(under.store, secrets, systemClock);
    const bodies = async () => (await raw.get(KEYS)).map((record) => record?.body);
    const areBytes = async () => (await bodies()).map((body) => body instanceof Uint8Array);

    it('is read, listed and taken, and a replacement and a new record are written as bytes', async () => {
      const things = open().collection(LISTED);
      const page = { parent: A.parent, order: 'created+', offset: 0, limit: 10 } as const;
      expect(await things.list(page)).to.have.length(1);
      expect(await things.get(A)).to.deep.include({
        ...A,
        value: FIRST,
        revision: 3,
        createdAt: 1000,
        updatedAt: 2000,
      });
      expect(await areBytes()).to.deep.equal([false, false]);
      await things.replace({ ...A, value: SECOND }, 3);
      await things.insert({ parent: A.parent, id: 'c', value: FIRST });
      expect((await things.list(page)).map(({ value }) => value)).to.deep.equal([SECOND, FIRST]);
      expect((await open().collection(SINGLE).take(B))?.value).to.deep.equal(SECOND);
      const [body] = await bodies();
      expect(Buffer.from(body as Uint8Array).toString('base64url')).to.match(/^5BHC4ZcZ/);
      expect(body).to.have.length(6 + 12 + JSON.stringify(SECOND).length + 16);
    });

    it('is refused at another place', async () => {
      const [record] = await raw.get(KEYS);
      if (!record) return expect.fail();
      await raw.put([{ ...record, id: 'moved' }]);
      const error = await open()
        .collection(LISTED)
        .get({ ...A, id: 'moved' })
        .catch((cause: unknown) => cause);
      expect(isDomainError(error, 'StoreUnavailable')).to.equal(true);
    });

    it('is made bytes by a resealing under the same key, with its revision and times', async () => {
      const run = () => new Resealing({ store: raw, secrets, onProgress: () => {} }).run();
      const counts = async () =>
        [...(await run()).collections.values()].map(({ sealed, resealed }) => [sealed, resealed]);
      expect(await counts()).to.deep.equal([
        [1, 1],
        [1, 1],
      ]);
      expect(await areBytes()).to.deep.equal([true, true]);
      expect(await counts()).to.deep.equal([
        [1, 0],
        [1, 0],
      ]);
      const read = await open().collection(LISTED).get(A);
      expect(read).to.deep.include({ value: FIRST, revision: 3, createdAt: 1000, updatedAt: 2000 });
    });

    it('is changed as bytes by a restoration', async () => {
      const change = (value: unknown) => ({ ...(value as Thing), n: 9 });
      const rules = new Map([[SINGLE.name, { change }]]);
      await restore({ store: raw, secrets, rules });
      expect(await areBytes()).to.deep.equal([false, true]);
      expect((await open().collection(SINGLE).get(B))?.value).to.deep.equal({ ...SECOND, n: 9 });
    });

    for (const target of ['SQLite', 'Redis', 'Redis Cluster', 'PostgreSQL'])
      it(`is copied to ${target} beside bytes, as each was written`, async () => {
        await open().collection(LISTED).insert({ parent: A.parent, id: 'c', value: SECOND });
        const other = await openStore(target);
        other.clock.time = 10_000;
        await other.store.ping();
        const to = rawOf(other);
        const clock = { now: () => under.clock.time };
        await new Migration({ from: raw, to, clock, source: 'x', onProgress: () => {} }).run();
        const keys = [...KEYS, { collection: LISTED.name, listed: true, parent: A.parent, id: 'c' }];
        expect(await to.get(keys)).to.deep.equal(await raw.get(keys));
        const things = new SealedStore(other.store, secrets, systemClock).collection(LISTED);
        const values = [await things.get(A), await things.get({ ...A, id: 'c' })].map((record) => record?.value);
        expect(values).to.deep.equal([FIRST, SECOND]);
        await to.close();
        await other.close();
      });
  });
