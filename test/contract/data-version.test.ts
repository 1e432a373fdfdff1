import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { GuardedStore } from '../../adapters/decorators/migration/guarded-store.ts';
import { VERSION } from '../../composition/root.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import {
  DATA_STATE,
  DATA_STATES,
  DATA_VERSION,
  markRestoring,
  READ_VERSION,
} from '../../domain/migration/data-version.ts';
import { FLOOR } from '../../domain/migration/old-forms.ts';
import type { Store } from '../../ports/store.ts';
import { sectionOf } from '../docs/tables.ts';
import { startServer } from '../support/servers/server.ts';
import { silentLog } from '../support/servers/silent-log.ts';
import { openStore, STORE_NAMES } from '../support/stores/stores.ts';
import type { StoreUnderTest } from './collection.contract.ts';

/** How long a look at the store is valid, in milliseconds. */
const HOLDS_MS = 5000;
const THINGS = { name: 'things', listed: false, sealed: false, afterRestore: 'kept' as const };
const TAKEN = 'A newer version of Credenza has taken the store';

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('The version of the data', () => {
  for (const name of STORE_NAMES.slice(0, 5))
    describe(`on ${name}`, () => {
      let under: StoreUnderTest;
      beforeEach(async () => {
        under = await openStore(name);
      });
      afterEach(() => under.close());

      const instance = (program: string, version: number, reads = version): GuardedStore =>
        new GuardedStore(under.store, {
          clock: { now: () => under.clock.time },
          log: silentLog,
          program,
          version,
          reads,
          verify: async () => {},
        });
      const stateOf = async (store: Store) => (await store.collection(DATA_STATES).get(DATA_STATE))?.value;

      it('is written by the first program, stays with others of the same version and is raised by a newer one', async () => {
        await instance('0.10.0', 1).claim();
        expect(await stateOf(under.store)).to.deep.equal({ version: 1, program: '0.10.0', floor: FLOOR });
        await Promise.all(['0.10.1', '0.10.2'].map((program) => instance(program, 1).claim()));
        expect(await stateOf(under.store)).to.deep.equal({ version: 1, program: '0.10.0', floor: FLOOR });
        await instance('0.12.0', 3).claim();
        expect(await stateOf(under.store)).to.deep.equal({ version: 3, program: '0.12.0', floor: FLOOR });
      });

      it('that is newer refuses an older program, which changes nothing', async () => {
        await instance('0.12.0', 3).claim();
        const error = await failureOf(instance('0.10.0', 1).claim());
        expect(String(error)).to.match(
          /Credenza 0\.12\.0 has taken the store: .* version 3, .* 0\.10\.0 .* version 1\./,
        );
        expect(await stateOf(under.store)).to.deep.equal({ version: 3, program: '0.12.0', floor: FLOOR });
      });

      it('that a newer program raises ends the use of the store by a running older one', async () => {
        const running = instance('0.10.0', 1);
        const things = running.collection<number>(THINGS);
        await things.insert({ id: 'a', value: 1 });
        const newer = instance('0.12.0', 3);
        await newer.claim();
        expect(await failureOf(running.ping())).to.include({ code: 'StoreUnavailable', message: TAKEN });
        expect(await failureOf(things.get({ id: 'a' }))).to.include({ code: 'StoreUnavailable', message: TAKEN });
        expect((await newer.collection<number>(THINGS).get({ id: 'a' }))?.value).to.equal(1);
      });

      it('that is newer and readable leaves the older program running and starting, and is not lowered by it', async () => {
        const running = instance('0.11.0', 1, 2);
        const things = running.collection<number>(THINGS);
        await things.insert({ id: 'a', value: 1 });
        await instance('0.12.0', 2).claim();
        const taken = { version: 2, program: '0.12.0', floor: FLOOR };
        for (const older of [running, instance('0.11.1', 1, 2)]) {
          under.clock.time += HOLDS_MS;
          await older.ping();
          expect((await older.collection<number>(THINGS).get({ id: 'a' }))?.value).to.equal(1);
          expect(await stateOf(under.store)).to.deep.equal(taken);
        }
        for (const begins of [true, false])
          await markRestoring(under.store, { program: '0.11.0', version: 1, reads: 2 }, begins);
        expect(await stateOf(under.store)).to.deep.equal({ version: 2, program: '0.11.0' });
        await running.claim();
        expect(await failureOf(instance('0.10.0', 1).claim())).to.be.an('error');
      });

      it('is read again after five seconds without a look at the readiness', async () => {
        const things = instance('0.10.0', 1).collection<number>(THINGS);
        await things.insert({ id: 'a', value: 1 });
        await instance('0.12.0', 3).claim();
        under.clock.time += HOLDS_MS;
        expect(isDomainError(await failureOf(things.replace({ id: 'a', value: 2 }, 1)), 'StoreUnavailable')).to.equal(
          true,
        );
      });

      it('is written again where it is lost, by all instances at once', async () => {
        const instances = Array.from({ length: 4 }, () => instance('0.10.0', 1));
        await Promise.all(instances.map((one) => one.claim()));
        await under.store.collection(DATA_STATES).remove(DATA_STATE);
        await Promise.all(instances.map((one) => one.ping()));
        expect(await stateOf(under.store)).to.deep.equal({ version: 1, program: '0.10.0', floor: FLOOR });
      });
    });

  it('grows only to one that the minor version before reads: the table of the upgrades says so of each release', async () => {
    const page = sectionOf(await readFile('docs/upgrading.md', 'utf8'), 'Going back');
    const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d+) \| (\d+) \|$/gm)].map(([, program, ...versions]) => {
      const [writes = 0, reads = 0] = versions.map(Number);
      return { program, writes, reads };
    });
    expect(rows.at(-1)).to.deep.equal({ program: VERSION, writes: DATA_VERSION, reads: READ_VERSION });
    for (const [at, { writes, reads }] of rows.entries()) {
      expect(writes).to.be.at.most(reads);
      expect(writes).to.be.at.most(rows[at - 1]?.reads ?? writes);
    }
  });

  it('that is newer makes a running server not ready, with a sentence, and refuses its requests', async () => {
    let database: Store | undefined;
    const wrapStore = (store: Store): Store => {
      database = store;
      return store;
    };
    const server = await startServer({ wrapStore });
    try {
      expect((await server.call('getReadiness')).status).to.equal(200);
      const states = database?.collection(DATA_STATES);
      const found = await states?.get(DATA_STATE);
      expect(found?.value.version).to.equal(DATA_VERSION);
      await states?.replace(
        { ...DATA_STATE, value: { version: READ_VERSION + 1, program: '99.0.0' } },
        found?.revision ?? 0,
      );
      const { status, body } = await server.call('getReadiness');
      expect([status, body]).to.deep.equal([503, [{ name: 'store', status: 'Unhealthy', reason: TAKEN }]]);
      expect((await server.call('createLoginNonce')).status).to.equal(503);
      expect((await server.call('getLiveness')).status).to.equal(200);
      expect(server.lines.some(({ message }) => message.includes('Credenza 99.0.0 has taken the store'))).to.equal(
        true,
      );
    } finally {
      await server.close();
    }
  });
});
