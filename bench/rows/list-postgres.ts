import { PostgresStore } from '../../adapters/postgres/postgres-store.ts';
import { DIDS, sqlRow } from '../support/did-rows.ts';
import { interleave, type Line, type Slice } from '../support/harness.ts';
import { FEW, MANY, PAGE, PAGES, type PageOf, parentOf, queryFor, timeRatio, titleOf } from '../support/pages.ts';
import { SILENT } from '../support/platform.ts';
import { type BenchPostgres, isPostgresInstalled, startPostgres } from '../support/postgres-server.ts';

/** Processor time is counted in hundredths of a second. */
const SLICE_MS = 400;

const FILL = `INSERT INTO bench.listed_records (collection, parent, id, body, revision, created, updated)
  SELECT '${DIDS.name}', convert_to($1, 'UTF8'), convert_to(id, 'UTF8'), convert_to(body, 'UTF8'), 1, created, created
  FROM (${sqlRow('generate_series(0, $2::int - 1)')}) AS row`;

/** A page with SQL by hand, of what has not expired: the index returns ids, then the rows are looked up. */
const BY_HAND = {
  name: 'by-hand',
  text: `SELECT r.id, r.body, r.revision, r.created, r.updated FROM
    (SELECT collection, parent, id FROM bench.listed_records WHERE collection = '${DIDS.name}' AND parent = $1
      AND (expires IS NULL OR expires > $3) ORDER BY created DESC, id DESC LIMIT ${PAGE} OFFSET $2) AS found
    JOIN bench.listed_records AS r USING (collection, parent, id) ORDER BY r.created DESC, r.id DESC`,
};

function pages({ cpuSeconds }: BenchPostgres, list: () => Promise<unknown>): Slice {
  return async () => {
    const usedBefore = cpuSeconds();
    const started = performance.now();
    let times = 0;
    for (; performance.now() - started < SLICE_MS; times += 1) await list();
    return times / (cpuSeconds() - usedBefore);
  };
}

/** Pages through the port, newest first, beside late row lookup by hand in the same table. */
export async function listPostgres(): Promise<Line[]> {
  if (!isPostgresInstalled())
    return [{ work: 'list, PostgreSQL', ours: 'not measured', beside: 'PostgreSQL is not installed' }];
  const server = await startPostgres();
  const { pool, settings } = server;
  const address = { ...settings, schema: 'bench', tls: false, connections: 1 };
  const store = new PostgresStore(address, { clock: { now: () => Date.now() }, log: SILENT });
  await store.ping();
  for (const count of [FEW, MANY]) await pool.query(FILL, [parentOf(count), count]);
  await pool.query('VACUUM ANALYZE bench.listed_records');
  const records = store.collection(DIDS);
  const byHand = async ({ count, offset }: PageOf): Promise<unknown> => {
    const { rows } = await pool.query({ ...BY_HAND, values: [Buffer.from(parentOf(count)), offset, Date.now()] });
    return rows.map(({ id, body, ...row }) => ({ ...row, id: `${id}`, value: JSON.parse(body) }));
  };
  const lines: Line[] = [];
  for (const page of PAGES) {
    const { ours, bare } = await interleave(
      { ours: pages(server, () => records.list(queryFor(page))), bare: pages(server, () => byHand(page)) },
      { rounds: 5, warmUp: 2 },
    );
    const work = `${titleOf(page)}, PostgreSQL, time`;
    lines.push(timeRatio({ work, named: 'late row lookup by hand', page, atMost: 1.2 }, ours, bare));
  }
  await store.close();
  await server.stop();
  return lines;
}
