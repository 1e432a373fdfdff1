import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSettings } from '../../adapters/config/read-settings.ts';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { GuardedStore } from '../../adapters/decorators/migration/guarded-store.ts';
import { SealedStore } from '../../adapters/decorators/sealing/sealed-store.ts';
import { systemClock, systemRandom } from '../../adapters/system/system.ts';
import { rulesOf } from '../../composition/commands/restored.ts';
import { markRestoring } from '../../domain/migration/data-version.ts';
import { restore } from '../../domain/migration/restoration.ts';
import type { AfterRestore, Store } from '../../ports/store.ts';
import type { RawRecord, RawStore } from '../../ports/store-copy.ts';
import { silentLog } from '../support/servers/silent-log.ts';
import { allocationOn, entryRequest, placeOf } from '../support/status/status-entries.ts';
import { openStore, rawOf } from '../support/stores/stores.ts';
import type { StoreUnderTest } from './collection.contract.ts';

const secrets = new AesSecrets([randomBytes(32)], systemRandom);
const TAKER = { program: '0' };

async function all(raw: RawStore): Promise<RawRecord[]> {
  const records: RawRecord[] = [];
  for await (const page of raw.records(100)) records.push(...page);
  return records;
}

describe('A restored store', () => {
  let rules: Map<string, AfterRestore<unknown>>;
  before(async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'credenza-rules-'));
    rules = await rulesOf(await readSettings({ CONFIG_DIR: DATA_DIR, DATA_DIR }));
    await rm(DATA_DIR, { recursive: true });
  });

  for (const name of ['SQLite', 'Redis', 'Redis Cluster', 'PostgreSQL'])
    describe(`on ${name}`, () => {
      let under: StoreUnderTest;
      let raw: RawStore;
      let store: Store;
      beforeEach(async () => {
        under = await openStore(name);
        under.clock.time = Date.now();
        await under.store.ping();
        store = new SealedStore(under.store, secrets, systemClock);
        raw = rawOf(under);
      });
      afterEach(async () => {
        await raw.close();
        await under.close();
      });

      /** Puts back what was there at the backup, and nothing else. */
      const putBack = async (backup: RawRecord[]): Promise<void> => {
        await raw.delete(await all(raw));
        await raw.put(backup);
      };
      const run = () => restore({ store: raw, secrets, rules });
      const allocate = async (count: number): Promise<string[]> => {
        const entries = await allocationOn(store).entries.allocate(entryRequest(), count);
        return entries.map(placeOf).map(({ uri, idx }) => `${uri} ${idx}`);
      };

      it('gives no index of a status list twice', async () => {
        await allocate(20);
        const backup = await all(raw);
        const since = await allocate(20);
        await putBack(backup);
        expect(await allocate(20), 'without the command').to.have.members(since);
        await putBack(backup);
        expect(Object.fromEntries(await run())).to.have.nested.property('status-list-series.voided', 1);
        const later = await allocate(20);
        expect(new Set([...since, ...later]).size).to.equal(40);
      });

      it('keeps results, ends what waits, and voids recovery codes but not their factor', async () => {
        const spec = (collection: string, listed: boolean) => ({
          name: collection,
          listed,
          sealed: true,
          afterRestore: 'kept' as const,
        });
        const sessions = store.collection<object>(spec('verifier-sessions', true));
        await sessions.insert({ parent: 'a', id: 'waits', value: { state: 'created', request: {} } });
        await sessions.insert({ parent: 'a', id: 'over', value: { state: 'verified', outcome: { n: 1 } } });
        const issuances = store.collection<object>(spec('issuance-sessions', true));
        const plan = { kinds: [], runs: [] };
        await issuances.insert({ id: 's', value: { state: 'ACTIVE', plan, grant: { code: 'secret' }, issuerId: 'i' } });
        const factors = store.collection<object>(spec('second-factors', false));
        await factors.insert({ id: 'ada', value: { secret: 's', isConfirmed: true, lastStep: 7, recovery: ['r'] } });
        await store.collection<object>(spec('wallet-credentials', true)).insert({ id: 'c', value: { n: 1 } });
        for (const expected of [3, 0]) {
          const counts = [...(await run()).values()];
          expect(counts.reduce((sum, { voided, changed }) => sum + voided + changed, 0)).to.equal(expected);
        }
        expect(await sessions.get({ parent: 'a', id: 'waits' })).to.equal(undefined);
        expect((await sessions.get({ parent: 'a', id: 'over' }))?.value).to.deep.equal({
          state: 'verified',
          outcome: { n: 1 },
        });
        expect((await issuances.get({ id: 's' }))?.value).to.deep.equal({
          state: 'EXPIRED',
          plan,
          issuerId: 'i',
          reason: 'The server was restored from a backup',
        });
        expect((await factors.get({ id: 'ada' }))?.value).to.deep.equal({
          secret: 's',
          isConfirmed: true,
          lastStep: 7,
          recovery: [],
        });
      });

      it('is not used while the command has begun and not ended', async () => {
        const guarded = new GuardedStore(under.store, {
          ...TAKER,
          clock: { now: () => under.clock.time },
          log: silentLog,
          verify: async () => {},
        });
        await guarded.claim();
        await markRestoring(under.store, TAKER, true);
        const failure = await guarded.claim().then(String, String);
        expect(failure).to.include('credenza restored has begun on the store and did not end: run it again');
        await markRestoring(under.store, TAKER, false);
        await guarded.claim();
      });
    });
});
