import { expect } from 'chai';
import { onboard } from '../../demo/actors/issuer.ts';
import { allRedeem, LONGEST_MS, Traffic } from '../actors/offer-traffic.ts';
import { until, untilReady } from '../support/runs/waiting.ts';
import { type ServerOptions, startServer, type TestServer } from '../support/servers/server.ts';
import { followPostgres, LOGIN, type PostgresServer, startPostgres } from '../support/stores/postgres.ts';
import { addressesOf } from '../support/stores/redis.ts';

/** How long a successful write proves that the store is writable, in milliseconds. */
const PROOF_MS = 1000;
/** Who is subject to limits, which the owner of the database is not. */
const APP = { user: 'app', password: 'sesame-of-app', database: 'postgres' };
const MAKE_APP = `CREATE ROLE app LOGIN PASSWORD '${APP.password}'; GRANT CREATE ON DATABASE postgres TO app`;

type Store = NonNullable<NonNullable<ServerOptions['settings']>['store']>;

const serverOn = (nodes: PostgresServer[], store: Store): Promise<TestServer> =>
  startServer({ settings: { store: { type: 'postgresql', nodes: addressesOf(nodes), ...store } } });

/** Offers that are made and redeemed all the time. */
async function trafficOn(server: TestServer): Promise<Traffic> {
  const traffic = new Traffic(server, await onboard(server)).start();
  await traffic.pass(20);
  return traffic;
}

const readiness = async (server: TestServer): Promise<number> => {
  server.clock.advance(PROOF_MS);
  return (await server.call('getReadiness')).status;
};
const causesOf = (server: TestServer): string[] =>
  server.lines.filter(({ message }) => message === 'request failed').map(({ fields }) => String(fields.cause));

describe('A PostgreSQL that fails under traffic', () => {
  let postgres: PostgresServer;
  let server: TestServer;
  let traffic: Traffic;
  before(async () => {
    postgres = await startPostgres();
    await postgres.query(MAKE_APP);
    server = await serverOn([postgres], APP);
  });
  after(async () => {
    await server.close();
    await postgres.stop();
  });
  beforeEach(async () => {
    traffic = await trafficOn(server);
  });
  afterEach(() => traffic.stop());

  /** Ends traffic that the database answers again, and looks at every answer and every offer. */
  async function settled(): Promise<void> {
    await traffic.recovers(10_000);
    await untilReady(server);
    await traffic.stop();
    expect(traffic.statuses().filter((status) => status !== 503)).to.deep.equal([200]);
    expect(traffic.slowest()).to.be.below(LONGEST_MS);
    await allRedeem(server, traffic.acknowledged);
  }

  it('is suspended: 503 without a long wait, and no acknowledged offer is lost', async () => {
    const from = traffic.outcomes.length;
    await postgres.pause();
    await traffic.failed(from);
    expect(await readiness(server)).to.equal(503);
    await postgres.resume();
    await settled();
    expect(traffic.statuses()).to.deep.equal([200, 503]);
  });

  it('is killed and starts again: 503, and no acknowledged offer is lost', async () => {
    const from = traffic.outcomes.length;
    await postgres.kill();
    await traffic.failed(from);
    expect(await readiness(server)).to.equal(503);
    await postgres.start();
    await settled();
  });

  it('drops its connections: at most single requests fail', async () => {
    for (let n = 0; n < 3; n += 1) {
      await postgres.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'");
      await traffic.recovers(5000);
    }
    await settled();
  });

  const raise = (code: string): string => `
    CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file of ada.lovelace' USING ERRCODE = '${code}'; END $$;
    DO $$ DECLARE at regclass; BEGIN FOR at IN SELECT c.oid FROM pg_class c WHERE relkind = 'r' AND relowner = 'app'::regrole
      LOOP EXECUTE format('CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON %s EXECUTE FUNCTION public.refuse()', at);
    END LOOP; END $$`;
  const refusals: [string, string, string, RegExp, RegExp][] = [
    [
      'is read-only',
      'ALTER SYSTEM SET default_transaction_read_only = on',
      'ALTER SYSTEM RESET default_transaction_read_only',
      /^25006 /,
      /: it is read-only \(25006 /,
    ],
    ['is full', raise('53100'), 'DROP FUNCTION public.refuse CASCADE', /^53100 /, /: its disk is full \(53100 /],
  ];
  for (const [state, spoil, mend, cause, reason] of refusals)
    it(`${state}: 503, which the log and the readiness explain, and it is used when it takes writes again`, async () => {
      expect(await readiness(server)).to.equal(200);
      await postgres.query(spoil);
      await postgres.query('SELECT pg_reload_conf()');
      const from = traffic.outcomes.length;
      await traffic.failed(from);
      await until(async () => (await readiness(server)) === 503);
      await postgres.query(mend);
      await postgres.query('SELECT pg_reload_conf()');
      await settled();
      expect(causesOf(server).some((one) => cause.test(one))).to.equal(true);
      const { fields } = server.lines.findLast(({ message }) => message === 'not ready') ?? {};
      expect(fields?.reason)
        .to.match(reason)
        .and.match(new RegExp(`^PostgreSQL 127\\.0\\.0\\.1:${postgres.port} `));
    });

  it('has no connection left: 503 with the reason, until it has', async () => {
    await postgres.query('ALTER ROLE app CONNECTION LIMIT 0');
    const from = traffic.outcomes.length;
    await postgres.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'");
    await traffic.failed(from);
    expect(await readiness(server)).to.equal(503);
    await until(() => causesOf(server).some((one) => one.startsWith('53300 ')));
    await postgres.query('ALTER ROLE app CONNECTION LIMIT -1');
    await settled();
    expect(server.lines.some(({ message }) => message === 'the store answers again')).to.equal(true);
  });

  it('holds a lock for too long: 503, and the server ends the statements that wait', async () => {
    const [{ schema = '' } = {}] = await postgres.query(
      "SELECT relnamespace::regnamespace::text AS schema FROM pg_class WHERE relname = 'records' ORDER BY oid DESC LIMIT 1",
    );
    const from = traffic.outcomes.length;
    const held = postgres.query(`BEGIN; LOCK TABLE ${schema}.records; SELECT pg_sleep(3); COMMIT`);
    await traffic.failed(from);
    await held;
    await settled();
    expect(causesOf(server).some((one) => one.startsWith('55P03 '))).to.equal(true);
  });

  it('refuses a login or has no such database: 503 with the reason, and the password is in neither log nor answer', async () => {
    const wrong: [Store, string][] = [
      [{ ...APP, password: 'wrong-sesame' }, 'the user or the password is refused (28P01 '],
      [{ ...APP, database: 'nowhere' }, 'the database does not exist (3D000 '],
    ];
    for (const [store, reason] of wrong) {
      const refused = await serverOn([postgres], store);
      const answer = await refused.call('getReadiness');
      expect(answer.status).to.equal(503);
      const said = JSON.stringify([answer.body, refused.lines]);
      expect(said).to.include(reason).and.not.include('sesame');
      await refused.close();
    }
  });
});

describe('A PostgreSQL with a standby', () => {
  it('fails over to it: 503 until it is promoted, and no acknowledged offer is lost', async () => {
    const primary = await startPostgres();
    const standby = await followPostgres(primary);
    await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await primary.query('SELECT pg_reload_conf()');
    const isSynchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
    await until(async () => (await primary.query(isSynchronous)).length > 0);
    // The standby is the first of the nodes: it is left for the primary, and found again when it takes writes.
    const server = await serverOn([standby, primary], LOGIN);
    const traffic = await trafficOn(server);
    const from = traffic.outcomes.length;
    await primary.kill();
    await traffic.failed(from);
    expect(await readiness(server)).to.equal(503);
    await standby.promote();
    await traffic.recovers(15_000);
    await untilReady(server);
    await traffic.stop();
    expect(traffic.statuses()).to.deep.equal([200, 503]);
    expect(traffic.slowest()).to.be.below(LONGEST_MS);
    await allRedeem(server, traffic.acknowledged);
    await server.close();
    await Promise.all([primary.stop(), standby.stop()]);
  });
});
