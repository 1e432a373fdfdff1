import { openSqlite } from '../../adapters/sqlite/driver.ts';

import { SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';

/** The collection that is listed: the DIDs of a DID store. */
export const DIDS = { name: 'enterprise-dids', listed: true, sealed: false, afterRestore: 'kept' as const };

/** A record as the product stores it; `body` is JSON text of about 350 bytes. */
export interface DidRow {
  id: string;
  created: number;
  body: string;
}

/** The number of records by parent. */
export type Counts = Record<string, number>;

const FIRST_CREATED = Date.UTC(2026, 0, 1);
const KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
const METHOD = { id: 'DID#0', type: 'JsonWebKey2020', controller: 'DID', publicKeyJwk: KEY };
const BODY = JSON.stringify({ content: { did: 'DID', document: { id: 'DID', verificationMethod: [METHOD] } } });

function didRow(number: number): DidRow {
  const id = `did-${String(number).padStart(7, '0')}`;
  return { id, created: FIRST_CREATED + number, body: BODY.replaceAll('DID', `did:web:issuer.example:${id}`) };
}

/** Records with a new time each. */
export function* didRows(count: number): Generator<DidRow> {
  for (let number = 0; number < count; number += 1) yield didRow(number);
}

/** The same made by PostgreSQL: a SELECT of `id`, `created` and `body`, for the numbers of a series. */
export const sqlRow = (series: string): string => `SELECT id, created, replace('${BODY}', 'DID',
  'did:web:issuer.example:' || id) AS body FROM (SELECT 'did-' || lpad(n::text, 7, '0') AS id,
  ${FIRST_CREATED} + n AS created FROM ${series} AS n) AS numbered`;

const clock = { now: () => Date.now() };

/** Creates a file of the product with these records. Its lists are indexed last, which is several times faster. */
export async function fillSqlite(file: string, counts: Counts): Promise<void> {
  await makeTable(file, false);
  const database = openSqlite(file);
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -400000']) database.pragma(pragma);
  const insert = database.prepare(
    `INSERT INTO enterprise_dids (parent, id, body, revision, created, updated)
     VALUES (@parent, @id, @body, 1, @created, @created)`,
  );
  database.transaction(() => {
    for (const [parent, count] of Object.entries(counts))
      for (const row of didRows(count)) insert.run({ parent, ...row });
  })();
  database.close();
  await makeTable(file, true);
}

async function makeTable(file: string, listed: boolean): Promise<void> {
  const store = new SqliteStore(file, clock);
  // The first use creates the table.
  await store.collection({ ...DIDS, listed }).get({ id: '' });
  await store.close();
}
