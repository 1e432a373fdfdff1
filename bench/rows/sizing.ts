import { join } from 'node:path';
import { openSqlite } from '../../adapters/sqlite/driver.ts';
import { Caller } from '../support/caller.ts';
import { interleave, type Line, median } from '../support/harness.ts';
import { Connection, loadOf } from '../support/load.ts';
import { manyParties } from '../support/parties.ts';
import { configFolder, serveProduct } from '../support/servers.ts';
import { bytesCompressed } from '../support/status-lists.ts';
import { playStory } from '../support/story.ts';
import { obtain, playV1Story } from '../support/story-v1.ts';
import { sessionMemory } from './memory.ts';

const LIMITS = { 'rate-limit': { exempt: ['127.0.0.1'] } };
const SLICE_MS = 500;
/** From so many the memory of 100,000 is reckoned; the row `session-memory` makes all of them. */
const SESSIONS = 10_000;

/** How often a second a core serves a whole story: an issuance and a verification; store in SQLite, log on. */
async function perCore(): Promise<Line[]> {
  const nextHolder = manyParties();
  const plays = {
    'of the drafts': (connection: Connection) => playStory(connection, nextHolder()),
    'of version 1.0': (connection: Connection) => playV1Story(connection, nextHolder()),
  };
  const lines: Line[] = [];
  for (const [named, play] of Object.entries(plays)) {
    const server = await serveProduct({ folder: configFolder(LIMITS), logLevel: 'info' });
    const { rates } = await interleave({ rates: loadOf(server, play, SLICE_MS) }, { rounds: 5, warmUp: 4 });
    await server.close();
    const ms = (1000 / median(rates)).toFixed(1);
    lines.push({
      work: `stories ${named} a second and core`,
      ours: median(rates).toFixed(0),
      beside: `${ms} ms of server CPU each`,
    });
  }
  return lines;
}

/** Credentials that are issued before the first measurement, and between that and the second. */
const FIRST = 500;
const MORE = 1000;
const AT_ONCE = 16;
const MILLION = 1_000_000;
/** What stays of a credential when its session has ended: its entry of a status list and the names of that. */
const LASTING = /issued.status.(?:entries|names)$/;

interface Bytes {
  lasting: number;
  all: number;
}

/** The pages of the tables and their indexes. */
function bytesIn(file: string): Bytes {
  const database = openSqlite(file);
  const rows = database
    .prepare(
      'SELECT tbl_name AS name, SUM(pgsize) AS bytes FROM dbstat JOIN sqlite_schema USING (name) GROUP BY tbl_name',
    )
    .all() as { name: string; bytes: number }[];
  database.close();
  const sumOf = (some: typeof rows): number => some.reduce((sum, { bytes }) => sum + bytes, 0);
  return { all: sumOf(rows), lasting: sumOf(rows.filter(({ name }) => LASTING.test(name))) };
}

/** What a million credentials of OpenID4VCI 1.0 with an entry of a status list take in SQLite, from some thousands. */
async function storeGrowth(): Promise<Line[]> {
  const folder = configFolder(LIMITS);
  const server = await serveProduct({ folder });
  const connections = Array.from({ length: AT_ONCE }, () => new Connection(server.port));
  const nextHolder = manyParties();
  const issue = async (count: number): Promise<Bytes> => {
    let left = count;
    const work = async (connection: Connection): Promise<void> => {
      const caller = new Caller(connection);
      for (; left > 0; ) {
        left -= 1;
        await obtain(caller, nextHolder(), { statusList: {} });
      }
    };
    await Promise.all(connections.map(work));
    return bytesIn(join(folder, 'credenza.sqlite'));
  };
  const empty = bytesIn(join(folder, 'credenza.sqlite'));
  const some = await issue(FIRST);
  const more = await issue(MORE);
  await server.close();
  const lineOf = (work: string, member: keyof Bytes): Line => {
    const [first, second] = [(some[member] - empty[member]) / FIRST, (more[member] - some[member]) / MORE];
    const mib = (bytes: number): string => `${((bytes * MILLION) / 2 ** 20).toFixed(0)} MiB`;
    return { work, ours: mib(second), beside: `${mib(first)} by the first ${FIRST}`, ratio: second / first };
  };
  return [
    lineOf('10^6 credentials in SQLite while their sessions last', 'all'),
    lineOf('10^6 credentials in SQLite for ever: status entries', 'lasting'),
  ];
}

/** What a published status list weighs, by the share of its credentials that were revoked. */
function listGrowth(): Line[] {
  return [0, 0.001, 0.01, 0.1].map((share) => ({
    work: `status list of 131,072 entries of 2 bits, ${share * 100} % revoked`,
    ours: `${(bytesCompressed(share) / 1024).toFixed(1)} KiB`,
    beside: '32.0 KiB uncompressed',
  }));
}

/** What an operator plans with (docs/sizing.md). */
export async function sizing(): Promise<Line[]> {
  return [...(await perCore()), ...(await sessionMemory(SESSIONS)), ...(await storeGrowth()), ...listGrowth()];
}
