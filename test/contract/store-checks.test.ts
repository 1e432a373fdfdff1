import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSettings } from '../../adapters/config/read-settings.ts';
import type { Settings } from '../../adapters/config/settings.ts';
import { PostgresStore } from '../../adapters/postgres/postgres-store.ts';
import { SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { checkStore } from '../../composition/commands/start-checks.ts';
import { checkLimitStore } from '../../composition/platform/store-checks.ts';
import { byCertificate } from '../actors/accounts.ts';
import { until } from '../support/runs/waiting.ts';
import { type LogLine, startServer } from '../support/servers/server.ts';
import { silentLog } from '../support/servers/silent-log.ts';
import { LOGIN, sharedPostgres } from '../support/stores/postgres.ts';
import { addressesOf, freePort, type RedisNode, startNode } from '../support/stores/redis.ts';

const REFUSED = /^Redis 127\.0\.0\.1:\d+: the user or the password is refused \((WRONGPASS|.*NOAUTH).*\)$/;

describe('The state of the stores as an operator sees it', () => {
  let folder: string;
  let node: RedisNode;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-check-'));
    node = await startNode();
    await node.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
  });
  after(async () => {
    await node.stop();
    await rm(folder, { recursive: true });
  });

  /** The defaults, or settings with both stores in this Redis. */
  async function settings(redis?: Partial<Pick<Settings['store'], 'nodes' | 'password'>>): Promise<Settings> {
    const read = await readSettings({ CONFIG_DIR: folder, DATA_DIR: folder });
    if (!redis) return read;
    const store = { ...read.store, type: 'kvstore' as const, nodes: addressesOf([node]), ...redis };
    return { ...read, store, rateLimit: { ...read.rateLimit, persistence: store } };
  }
  const policy = () => [
    `Redis 127.0.0.1:${node.port}: maxmemory-policy is allkeys-lru; set noeviction, or what it evicts is lost`,
  ];

  describe('by check', () => {
    it('a missing file is not created; an existing one is written; a file of another kind is named', async () => {
      const nothing = { warnings: [], problems: [] };
      expect(await checkStore(await settings())).to.deep.equal({ state: 'is made by the first start', ...nothing });
      expect(await readdir(folder)).to.deep.equal([]);
      const file = join(folder, 'credenza.sqlite');
      const store = new SqliteStore(file, { now: () => 0 });
      await store.close();
      expect(await checkStore(await settings())).to.deep.equal({ state: 'takes writes', ...nothing });
      await writeFile(file, 'no database, but long enough to be taken for one '.repeat(40));
      const [problem] = (await checkStore(await settings())).problems;
      expect(problem?.message).to.match(/^SQLite \/.*credenza\.sqlite: .*NOTADB/);
      await rm(file);
    });

    it('limits in the process need no database', async () => {
      expect(await checkLimitStore(await settings())).to.equal(undefined);
    });

    it('Redis is written, and a maxmemory-policy that loses data is a warning, for either store', async () => {
      const both = await settings({});
      expect(await checkStore(both)).to.deep.equal({ state: 'takes writes', warnings: policy(), problems: [] });
      expect(await checkLimitStore(both)).to.deep.equal({ state: 'answers', warnings: policy(), problems: [] });
    });

    it('an outage is a warning that names node and cause, not an invalid configuration', async () => {
      const port = await freePort();
      const away = await settings({ nodes: [{ host: '127.0.0.1', port }] });
      for (const finding of await Promise.all([checkStore(away), checkLimitStore(away)]))
        expect(finding).to.deep.equal({
          state: 'cannot be used now',
          warnings: [`Redis 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`],
          problems: [],
        });
    });

    it('PostgreSQL is written where a first start made its tables, and a refused login names its field', async () => {
      const read = await readSettings({ CONFIG_DIR: folder, DATA_DIR: folder });
      const nodes = addressesOf([await sharedPostgres()]);
      const schema = `check_${nodes[0]?.port}`;
      const on = (changes: object) => ({
        ...read,
        store: { ...read.store, type: 'postgresql' as const, nodes, schema, ...LOGIN, ...changes },
      });
      const nothing = { warnings: [], problems: [] };
      expect(await checkStore(on({}))).to.deep.equal({ state: 'is made by the first start', ...nothing });
      expect(await checkStore(on({}))).to.deep.equal({ state: 'is made by the first start', ...nothing });
      const store = new PostgresStore(on({}).store, { clock: systemClock, log: silentLog });
      await store.ping();
      await store.close();
      expect(await checkStore(on({}))).to.deep.equal({ state: 'takes writes', ...nothing });
      const fields = [];
      for (const wrong of [{ password: 'wrong-sesame' }, { password: '' }, { database: 'nowhere' }]) {
        const { state, problems } = await checkStore(on(wrong));
        expect(state).to.equal('cannot be used now');
        expect(problems[0]?.message).not.to.include('sesame');
        fields.push(problems[0]?.field);
      }
      expect(fields).to.deep.equal(['password', 'password', 'database']);
      const away = await checkStore(on({ nodes: [{ host: '127.0.0.1', port: 1 }] }));
      expect(away).to.deep.include({ state: 'cannot be used now', problems: [] });
      expect(away.warnings[0]).to.match(/^PostgreSQL 127\.0\.0\.1:1 \(postgres\): connect ECONNREFUSED/);
    });

    it('a wrong or missing password is a problem of its field and is not printed', async () => {
      await node.command('CONFIG', 'SET', 'requirepass', 'open-sesame');
      const fields = [];
      for (const password of ['wrong-sesame', '']) {
        const wrong = await settings({ password });
        for (const finding of await Promise.all([checkStore(wrong), checkLimitStore(wrong)])) {
          const [problem] = finding?.problems ?? [];
          fields.push(`${problem?.file} ${problem?.field}`);
          expect(problem?.message).to.match(REFUSED).and.not.include('sesame');
        }
      }
      const both = ['store.conf password', 'rate-limit.conf persistence.password'];
      expect(fields).to.deep.equal([...both, ...both]);
      const right = await checkStore(await settings({ password: 'open-sesame' }));
      expect(right.state).to.equal('takes writes');
    });
  });

  describe('by the log of a server', () => {
    const logged = async (lines: LogLine[], message: RegExp): Promise<LogLine | undefined> => {
      const found = () => lines.find((one) => message.test(one.message));
      await until(() => found() !== undefined);
      return found();
    };

    it('a wrong password of the rate limit store is named as such', async () => {
      const locked = await startNode();
      await locked.command('CONFIG', 'SET', 'requirepass', 'open-sesame');
      const persistence = { type: 'kvstore', nodes: addressesOf([locked]), password: 'wrong-sesame' } as const;
      const server = await startServer({ settings: { rateLimit: { persistence } } });
      const line = await logged(server.lines, /^the store of the rate limits cannot be reached$/);
      expect(line?.fields.store).to.equal(`Redis 127.0.0.1:${locked.port}`);
      expect(line?.fields.reason).to.match(/^the user or the password is refused \(WRONGPASS/);
      for (let n = 0; n < 3; n += 1) await server.call('loginWithCertificate', { json: byCertificate(0) });
      const without = await logged(server.lines, /^rate limits are counted in this process/);
      expect(without?.fields.reason).to.match(/: the user or the password is refused \(WRONGPASS/);
      expect(JSON.stringify(server.lines)).not.to.include('sesame');
      await server.close();
      await locked.stop();
    });

    it('a maxmemory-policy that loses data is a warning at the start, once', async () => {
      const other = await startNode('--maxmemory-policy', 'volatile-lru');
      const store = { type: 'kvstore', nodes: addressesOf([other]) } as const;
      const server = await startServer({ settings: { store } });
      const line = await logged(server.lines, /maxmemory-policy is volatile-lru/);
      expect(line?.level).to.equal('warn');
      await server.close();
      await other.stop();
    });

    it('an outage is logged with the node and its cause; the caller reads neither', async () => {
      const gone = await startNode();
      const store = { type: 'kvstore', nodes: addressesOf([gone]) } as const;
      const server = await startServer({ settings: { store } });
      await gone.kill();
      const { status, body } = await server.call('createLoginNonce');
      expect([status, body.message]).to.deep.equal([503, 'The store cannot be reached']);
      const line = await logged(server.lines, /^request failed$/);
      expect(line?.fields.detail).to.match(new RegExp(`^Redis 127\\.0\\.0\\.1:${gone.port}: .+`));
      expect(JSON.stringify(body)).not.to.include(String(gone.port));
      await server.close();
      await gone.stop();
    });
  });
});
