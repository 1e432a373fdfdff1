import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { plain } from '../../adapters/cli/colors.ts';
import { renderReseal } from '../../adapters/cli/reseal.ts';
import { readSettings } from '../../adapters/config/read-settings.ts';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { SealedStore } from '../../adapters/decorators/sealing/sealed-store.ts';
import { systemClock, systemRandom } from '../../adapters/system/system.ts';
import { reseal } from '../../composition/commands/reseal.ts';
import { MIGRATION_MARKER } from '../../domain/migration/migration-marker.ts';
import { Resealing, type ResealResult } from '../../domain/migration/resealing.ts';
import { sealContext } from '../../domain/migration/seal-record.ts';
import type { CollectionSpec, Store } from '../../ports/store.ts';
import type { RawRecord, RawStore } from '../../ports/store-copy.ts';
import { openStore, rawOf } from '../support/stores/stores.ts';
import type { StoreUnderTest } from './collection.contract.ts';

const [OLD, NEW, LOST] = [1, 2, 3].map(() => randomBytes(32)) as [Buffer, Buffer, Buffer];
const secretsOf = (...keys: Buffer[]): AesSecrets => new AesSecrets(keys, systemRandom);
const sealed = (store: Store, ...keys: Buffer[]): SealedStore =>
  new SealedStore(store, secretsOf(...keys), systemClock);

const LISTED: CollectionSpec<{ n: number }> = { name: 'wallet-keys', listed: true, sealed: true, afterRestore: 'kept' };
const SINGLE: CollectionSpec<{ n: number }> = { name: 'nonces', listed: false, sealed: true, afterRestore: 'kept' };
const CLEAR: CollectionSpec<{ n: number }> = {
  name: 'access-tokens',
  listed: false,
  sealed: false,
  afterRestore: 'kept',
};
const SPECS = [LISTED, SINGLE, CLEAR];
const AT = { parent: '', id: 'a' };

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fulfilled',
    (error: Error) => error.message,
  );

for (const name of ['SQLite', 'Redis', 'Redis Cluster', 'PostgreSQL'])
  describe(`Resealing on ${name}`, () => {
    let under: StoreUnderTest;
    let raw: RawStore;
    beforeEach(async () => {
      under = await openStore(name);
      under.clock.time = Date.now();
      await under.store.ping();
      await sealed(under.store, OLD).checkKey();
      raw = rawOf(under);
    });
    afterEach(async () => {
      await raw.close();
      await under.close();
    });
    const run = async (store: RawStore = raw): Promise<ResealResult> => {
      await sealed(under.store, NEW, OLD).checkKey();
      return new Resealing({ store, secrets: secretsOf(NEW, OLD), onProgress: () => {} }).run();
    };

    it('property: afterwards the new key alone opens the same records, with their revisions, times and expiry', async () => {
      const value = fc.record({
        spec: fc.constantFrom(...SPECS),
        id: fc.stringMatching(/^[a-z]{1,3}$/),
        n: fc.nat(),
        expires: fc.option(fc.integer({ min: 3_600_000, max: 7_200_000 }), { nil: undefined }),
        replaced: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(value, { selector: ({ spec, id }) => `${spec.name} ${id}` }),
          async (records) => {
            const before = sealed(under.store, OLD, NEW);
            for (const { spec, id, n, expires, replaced } of records) {
              const collection = before.collection(spec);
              await collection.remove({ id });
              const expiresAt = expires === undefined ? undefined : under.clock.time + expires;
              const { revision } = await collection.insert({ id, value: { n }, expiresAt });
              if (replaced) await collection.replace({ id, value: { n: n + 1 } }, revision);
            }
            const read = (store: Store) =>
              Promise.all(records.map(({ spec, id }) => store.collection(spec).get({ id })));
            const expected = await read(before);
            expect((await run()).isComplete).to.equal(true);
            const after = sealed(under.store, NEW);
            await after.checkKey();
            expect(await read(after)).to.deep.equal(expected);
          },
        ),
        { numRuns: 8 },
      );
    });

    it('a concurrent write, removal or replacement by another record wins', async () => {
      const servers = sealed(under.store, NEW, OLD);
      for (const spec of [LISTED, SINGLE]) {
        const things = sealed(under.store, OLD, NEW).collection(spec);
        for (const id of ['written', 'removed', 'replaced']) await things.insert({ id, value: { n: 1 } });
      }
      let isFirst = true;
      const swap: RawStore['swap'] = async (changes) => {
        if (isFirst)
          for (const spec of [LISTED, SINGLE]) {
            const things = servers.collection(spec);
            await things.replace({ id: 'written', value: { n: 2 } }, 1);
            await things.remove({ id: 'removed' });
            await things.take({ id: 'replaced' });
            await things.insert({ id: 'replaced', value: { n: 3 } });
          }
        isFirst = false;
        return raw.swap(changes);
      };
      const result = await run(Object.assign(Object.create(raw) as RawStore, bound(raw), { swap }));
      expect(result.isComplete).to.equal(true);
      expect([...result.collections.values()].map(({ resealed }) => resealed)).to.deep.equal([0, 0]);
      for (const spec of [LISTED, SINGLE]) {
        const things = sealed(under.store, NEW).collection(spec);
        const values = await Promise.all(['written', 'removed', 'replaced'].map((id) => things.get({ id })));
        expect(values.map((record) => record?.value.n)).to.deep.equal([2, undefined, 3]);
      }
    });

    it('is not complete while an instance writes under the old key, and the store keeps needing that key', async () => {
      let n = 0;
      const records: RawStore['records'] = async function* (size) {
        n += 1;
        await sealed(under.store, OLD, NEW)
          .collection(SINGLE)
          .insert({ id: `n${n}`, value: { n } });
        yield* raw.records(size);
      };
      const result = await run(Object.assign(Object.create(raw) as RawStore, bound(raw), { records }));
      expect(result.isComplete).to.equal(false);
      expect(renderReseal({ keyId: 'k', ...result }, plain)).to.match(
        /^Not everything .* 1 records were under an older one/,
      );
      expect(await messageOf(sealed(under.store, NEW).checkKey())).to.include('another master key');
      expect((await run()).isComplete).to.equal(true);
      await sealed(under.store, NEW).checkKey();
    });

    it('is not complete with a value that no key of the ring unseals, and leaves it as it is', async () => {
      const key = { collection: SINGLE.name, listed: false, ...AT };
      const body = Buffer.from(secretsOf(LOST).seal('{}', sealContext(key)));
      const record: RawRecord = { ...key, body, revision: 1, createdAt: 1, updatedAt: 1 };
      await raw.put([record]);
      const result = await run();
      expect(result.isComplete).to.equal(false);
      expect(renderReseal({ keyId: 'k', ...result }, plain)).to.include('No key of the ring unseals 1 records');
      expect((await raw.get([key]))[0]?.body).to.deep.equal(body);
    });

    it('refuses a half-finished copy', async () => {
      const body = JSON.stringify({ state: 'open', source: 'sqlite:/x' });
      await raw.put([{ ...MIGRATION_MARKER, body, revision: 1, createdAt: 1, updatedAt: 1 }]);
      expect(await messageOf(run())).to.include('half-finished copy');
    });
  });

/** The methods of a store, bound to it. */
const bound = (store: RawStore): RawStore => ({
  ping: () => store.ping(),
  records: (size) => store.records(size),
  get: (keys) => store.get(keys),
  put: (records) => store.put(records),
  delete: (keys) => store.delete(keys),
  swap: (changes) => store.swap(changes),
  close: () => store.close(),
});

describe('credenza reseal', () => {
  const terminal = { colors: plain, out: () => {}, err: () => {} };
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-reseal-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const settings = async (store: string) => {
    await writeFile(join(folder, 'store.conf'), store);
    return readSettings({ CONFIG_DIR: folder, DATA_DIR: folder });
  };

  it('refuses a store in memory, and names a file or a server that is not there', async () => {
    expect(await messageOf(reseal(await settings('type = memory'), terminal))).to.match(/^The store is memory/);
    expect(await messageOf(reseal(await settings('type = sqlite'), terminal))).to.match(
      /^SQLite in .* cannot be used: /,
    );
    const nodes = 'type = kvstore\nnodes = [ { host = "127.0.0.1", port = 1 } ]';
    expect(await messageOf(reseal(await settings(nodes), terminal))).to.match(/^Redis at 127.0.0.1:1 cannot be used: /);
  });
});
