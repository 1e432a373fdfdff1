import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { byCertificate } from '../actors/accounts.ts';
import { lockFile } from '../support/processes/foreign-lock.ts';
import { pause, untilReady } from '../support/runs/waiting.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const WRITES = 40;
/** A failing request that also cleans up makes more than one attempt of 0.8 s; a slow machine takes four times as long. */
const SLOWEST_MS = 12_000;
/** Less than an attempt: a process that waited for the lock would answer nothing meanwhile. */
const PROBE_MS = 600;

describe('A SQLite file that another process has locked', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-lock-'));
    file = join(folder, 'credenza.sqlite');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const start = (): Promise<TestServer> => startServer({ settings: { store: { type: 'sqlite' } }, dataDir: folder });
  const login = (server: TestServer) => server.call('loginWithCertificate', { json: byCertificate(0) });

  async function timed<T>(work: Promise<T>): Promise<{ outcome: T; ms: number }> {
    const started = performance.now();
    const outcome = await work;
    return { outcome, ms: performance.now() - started };
  }

  it(`answers ${WRITES} concurrent writes with 503 and /livez at once meanwhile; writes succeed afterwards`, async () => {
    const server = await start();
    await server.call('createLoginNonce');
    const lock = await lockFile(file);
    const writes = Array.from({ length: WRITES }, () => timed(server.call('createLoginNonce')));
    const settled = Promise.all(writes).then(() => true);
    const times: number[] = [];
    while (!(await Promise.race([settled, pause(20)]))) {
      const { outcome, ms } = await timed(server.call('getLiveness'));
      expect(outcome.status).to.equal(200);
      times.push(ms);
    }
    for (const { outcome, ms } of await Promise.all(writes)) {
      expect([outcome.status, outcome.body.message]).to.deep.equal([503, 'The store cannot be reached']);
      expect(ms).to.be.below(SLOWEST_MS);
    }
    // Nine of ten: other work of the machine may delay one. A wait for the lock would delay all.
    expect(times.sort((a, b) => a - b)[Math.floor(times.length * 0.9)]).to.be.below(PROBE_MS);
    expect((await server.call('getReadiness')).status).to.equal(503);
    await lock.release();
    expect((await server.call('createLoginNonce')).status).to.equal(200);
    expect((await server.call('getReadiness')).status).to.equal(200);
    await server.close();
  });

  it('waits for a lock that is released in time', async () => {
    const server = await start();
    const lock = await lockFile(file);
    const asked = login(server);
    await pause(100);
    await lock.release();
    expect((await asked).status).to.equal(200);
    await server.close();
  });

  it('does not prevent a start: the server is not ready until the lock is released, also for readers', async () => {
    const lock = await lockFile(file, 'EXCLUSIVE');
    const server = await start();
    const { outcome, ms } = await timed(server.call('getLiveness'));
    expect([outcome.status, ms < 1000]).to.deep.equal([200, true]);
    expect((await server.call('getReadiness')).status).to.equal(503);
    expect((await login(server)).status).to.equal(503);
    await lock.release();
    await untilReady(server);
    expect((await login(server)).status).to.equal(200);
    await server.close();
  });

  it('names the file and the cause for the operator, and neither for the caller', async () => {
    const server = await start();
    const lock = await lockFile(file);
    const { status, body } = await login(server);
    expect([status, JSON.stringify(body).includes(folder)]).to.deep.equal([503, false]);
    const line = server.lines.findLast(({ message }) => message === 'request failed');
    expect(line?.fields.detail).to.equal(`SQLite ${file}: database is locked (SQLITE_BUSY)`);
    await lock.release();
    await server.close();
  });

  it('fails a store at once when the file is not a SQLite file or its folder is missing', async () => {
    await writeFile(file, 'no database, but long enough to be taken for one '.repeat(40));
    for (const place of [file, join(folder, 'nowhere', 'x.sqlite')])
      expect(() => new SqliteStore(place, { now: () => 0 })).to.satisfy((open: () => void) => {
        try {
          open();
          return false;
        } catch (error) {
          return isDomainError(error, 'StoreUnavailable') && error.detail?.startsWith(`SQLite ${place}: `);
        }
      });
  });
});
