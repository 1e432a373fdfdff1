import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { AesSecrets } from '../../adapters/crypto/sealing.ts';
import { Readiness } from '../../adapters/decorators/resilience/readiness.ts';
import { SealedStore } from '../../adapters/decorators/sealing/sealed-store.ts';
import { MemoryStore } from '../../adapters/memory/memory-store.ts';
import { systemRandom } from '../../adapters/system/system.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { byCertificate } from '../actors/accounts.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import { silentLog } from '../support/servers/silent-log.ts';
import { addressesOf, type RedisNode, sharedCluster, startNode } from '../support/stores/redis.ts';

/** How long a successful write proves that the store is writable, in milliseconds. */
const PROOF_MS = 1000;
/** How long a check of the master key is valid, in milliseconds. */
const KEY_MS = 30_000;

const readiness = async (server: TestServer): Promise<number> => {
  server.clock.advance(PROOF_MS);
  return (await server.call('getReadiness')).status;
};

const reasonOf = (server: TestServer): unknown =>
  server.lines.findLast(({ message }) => message === 'not ready')?.fields.reason;

describe('Readiness', () => {
  describe('of a server on Redis', () => {
    let node: RedisNode;
    let server: TestServer;
    beforeEach(async () => {
      node = await startNode();
      server = await startServer({ settings: { store: { type: 'kvstore', nodes: addressesOf([node]) } } });
    });
    afterEach(async () => {
      await server.close();
      await node.stop();
    });

    const refusals: [string, string[], string[], RegExp][] = [
      [
        'is full',
        ['CONFIG', 'SET', 'maxmemory', '1'],
        ['CONFIG', 'SET', 'maxmemory', '0'],
        /its memory is full \(.*OOM/,
      ],
      [
        'is a read-only replica',
        ['REPLICAOF', '127.0.0.1', '1'],
        ['REPLICAOF', 'NO', 'ONE'],
        /it is a replica.*READONLY/,
      ],
    ];
    for (const [state, spoil, mend, reason] of refusals)
      it(`503: Redis answers but ${state}, which is logged; 200 when it accepts writes again`, async () => {
        expect(await readiness(server)).to.equal(200);
        const [name = '', ...args] = spoil;
        await node.command(name, ...args);
        expect(await readiness(server)).to.equal(503);
        expect(reasonOf(server)).to.match(reason).and.include(`Redis 127.0.0.1:${node.port}: `);
        const [back = '', ...rest] = mend;
        await node.command(back, ...rest);
        while ((await readiness(server)) !== 200);
      });

    it('restores the probe of the master key after the store was emptied', async () => {
      const probes = async (): Promise<unknown> => node.command('KEYS', '*s:seal::probe');
      expect(await probes()).to.have.length(1);
      await node.command('FLUSHALL');
      expect(await probes()).to.have.length(0);
      expect(await readiness(server)).to.equal(200);
      expect(await probes()).to.have.length(1);
      await node.command('FLUSHALL');
      server.clock.advance(KEY_MS);
      await server.call('loginWithCertificate', { json: byCertificate(0) });
      expect(await probes()).to.have.length(1);
    });

    it('an instance with another master key is never ready and never answers 500', async () => {
      await node.command('FLUSHALL');
      const settings = { ...server.settings, port: 0 };
      const other = await startServer({ settings: { store: settings.store } });
      expect((await other.call('loginWithCertificate', { json: byCertificate(0) })).status).to.equal(200);
      const login = async () => (await server.call('loginWithCertificate', { json: byCertificate(0) })).status;
      for (const ms of [0, KEY_MS, KEY_MS]) {
        server.clock.advance(ms);
        for (let n = 0; n < 3; n += 1) expect(await login()).to.be.oneOf(ms === 0 ? [200, 503] : [503]);
      }
      expect(await readiness(server)).to.equal(503);
      expect(String(reasonOf(server))).to.include('another master key');
      expect(await readiness(other)).to.equal(200);
      await other.close();
    });
  });

  it('503: one node of a Redis Cluster is full', async () => {
    const { nodes } = await sharedCluster();
    const server = await startServer({ settings: { store: { type: 'kvstore-cluster', nodes: addressesOf(nodes) } } });
    for (const node of nodes) {
      expect(await readiness(server)).to.equal(200);
      await node.command('CONFIG', 'SET', 'maxmemory', '1');
      expect(await readiness(server)).to.equal(503);
      await node.command('CONFIG', 'SET', 'maxmemory', '0');
    }
    expect(await readiness(server)).to.equal(200);
    await server.close();
  });

  it('writes at most once a second, regardless of the number of callers and of the clock', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ step: fc.integer({ min: -100, max: 900 }), askers: fc.integer({ min: 1, max: 20 }) })),
        async (moments) => {
          let now = 1_000_000;
          let writes = 0;
          let passed = 0;
          const checkWritable = async () => {
            writes += 1;
          };
          const store = { ping: async () => {}, checkWritable };
          const ready = new Readiness({ store, clock: { now: () => now }, log: silentLog });
          let setBack = 0;
          for (const { step, askers } of moments) {
            now += step;
            passed += Math.max(0, step);
            setBack += step < 0 ? 1 : 0;
            await Promise.all(Array.from({ length: askers }, () => ready.ping()));
          }
          // After a clock was set back the age of the last write is unknown: one more write each time.
          expect(writes).to.be.at.most(1 + Math.floor(passed / PROOF_MS) + setBack);
        },
      ),
    ));
});

describe('Data that another master key sealed', () => {
  it('is StoreUnavailable for every kind of read, with a detail that names the cause', async () => {
    const clock = { now: () => now };
    let now = 0;
    const database = new MemoryStore(clock);
    const [ours, theirs] = [1, 2].map(
      () => new SealedStore(database, new AesSecrets([randomBytes(32)], systemRandom), clock),
    );
    const spec = { name: 'things', listed: true, sealed: true, afterRestore: 'kept' as const };
    const mine = ours?.collection<number>(spec);
    const foreign = theirs?.collection<number>(spec);
    await mine?.get({ id: 'a' });
    // The database was emptied, and the other instance wrote first.
    await database
      .collection({ name: 'seal', listed: false, sealed: true, afterRestore: 'kept' as const })
      .remove({ id: 'probe' });
    await foreign?.insert({ id: 'a', value: 1 });
    const reads = [
      () => mine?.get({ id: 'a' }),
      () => mine?.list({ parent: '', order: 'id', offset: 0, limit: 9 }),
      () => mine?.insert({ id: 'b', value: 2 }),
      () => mine?.replace({ id: 'a', value: 2 }, 1),
      () => mine?.take({ id: 'a' }),
    ];
    for (const read of reads) {
      const error = await read()?.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(isDomainError(error, 'StoreUnavailable') && error.detail).to.include('another master key');
      now += 1;
    }
    expect((await foreign?.get({ id: 'a' }))?.value).to.equal(1);
  });
});
