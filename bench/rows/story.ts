import { bareCrypto, type CryptoCounts } from '../baselines/bare-crypto.ts';
import { coresGain, wallSeconds } from '../support/cores.ts';
import { compared, interleave, type Line, median, repeat } from '../support/harness.ts';
import { type Connection, loadOf } from '../support/load.ts';
import { manyParties } from '../support/parties.ts';
import { isPostgresInstalled, startPostgres } from '../support/postgres-server.ts';
import { startRedis } from '../support/redis-server.ts';
import { configFolder, serveProduct } from '../support/servers.ts';
import { playStory } from '../support/story.ts';
import { playV1Story } from '../support/story-v1.ts';

const SLICE_MS = 500;
const WARM_UP = 6;

/** Issuance and verification of one credential over HTTP: 8 requests to a server as it is run, with its log on. */
export async function story(): Promise<Line[]> {
  const nextHolder = manyParties();
  const play = (connection: Connection) => playStory(connection, nextHolder());
  const counts = { signs: 1, verifies: 3, imports: 2 };
  const named = 'bare 1 sign + 3 verify + 2 import';
  const sqlite = await onSqlite({ work: 'whole story, 8 requests', play, counts, named });
  return [sqlite, await onPostgres(play), ...(await onRedis(play))];
}

/** The same over OpenID4VCI 1.0 and OpenID4VP 1.0, with an SD-JWT VC, a signed request and an encrypted response: 9 requests. */
export async function storyV1(): Promise<Line[]> {
  const nextHolder = manyParties();
  const play = (connection: Connection) => playV1Story(connection, nextHolder());
  const counts = { signs: 2, verifies: 3, imports: 4, pairs: 1, agreements: 1 };
  const named = 'bare 2 sign + 3 verify + 4 import + key pair + ECDH';
  return [await onSqlite({ work: 'whole story of 1.0, 9 requests', play, counts, named })];
}

type Play = (connection: Connection) => Promise<void>;

interface Story {
  work: string;
  play: Play;
  counts: CryptoCounts;
  named: string;
}

/** By the processor time of the server, beside the cryptography that it does. */
async function onSqlite({ work, play, counts, named }: Story): Promise<Line> {
  const limits = { 'rate-limit': { exempt: ['127.0.0.1'] } };
  const server = await serveProduct({ folder: configFolder(limits), logLevel: 'info' });
  const { ours, bare } = await interleave(
    { ours: loadOf(server, play, SLICE_MS), bare: repeat(bareCrypto(counts)) },
    { warmUp: WARM_UP },
  );
  await server.close();
  const cost = `${work}, HTTP, SQLite, ${(1000 / median(ours)).toFixed(1)} ms of server CPU`;
  return compared({ work: cost, named, goal: { atLeast: 0.09 } }, ours, bare);
}

/** By the processor time of the server, that of the database apart, beside the same on SQLite. */
async function onPostgres(play: Play): Promise<Line> {
  const work = 'whole story, HTTP, PostgreSQL';
  if (!isPostgresInstalled()) return { work, ours: 'not measured', beside: 'PostgreSQL is not installed' };
  const database = await startPostgres();
  const limits = { 'rate-limit': { exempt: ['127.0.0.1'] } };
  const store = { type: 'postgresql', ...database.settings, schema: 'story' };
  const servers = {
    ours: await serveProduct({ folder: configFolder({ ...limits, store }), logLevel: 'info' }),
    sqlite: await serveProduct({ folder: configFolder(limits), logLevel: 'info' }),
  };
  const slices = { ours: loadOf(servers.ours, play, SLICE_MS), sqlite: loadOf(servers.sqlite, play, SLICE_MS) };
  const { ours, sqlite } = await interleave(slices, { warmUp: WARM_UP });
  await Promise.all([servers.ours.close(), servers.sqlite.close()]);
  await database.stop();
  return compared({ work, named: 'SQLite' }, ours, sqlite);
}

/** By the clock, two workers beside one. */
async function onRedis(play: Play): Promise<Line[]> {
  const redis = await startRedis();
  const nodes = [{ host: '127.0.0.1', port: redis.port }];
  const serve = async (workers: number) => {
    const store = { type: 'kvstore', nodes, keyPrefix: `story${workers}:` };
    const server = await serveProduct({ folder: configFolder({ services: { workers }, store }), logLevel: 'info' });
    return { server, slice: loadOf({ ...server, cpuSeconds: wallSeconds }, play, SLICE_MS) };
  };
  const [one, two] = [await serve(1), await serve(2)];
  const rates = await interleave({ two: two.slice, one: one.slice }, { warmUp: WARM_UP });
  await Promise.all([one.server.close(), two.server.close()]);
  await redis.stop();
  const work = 'whole story, HTTP, Redis, 2 workers';
  return [compared({ work, named: `1 worker (${coresGain()})`, goal: { atLeast: 1.6 } }, rates.two, rates.one)];
}
