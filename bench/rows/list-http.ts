import { join } from 'node:path';
import { openSqlite } from '../../adapters/sqlite/driver.ts';
import { DID_STORE, didStoreFolder, openDidStore } from '../support/did-store.ts';
import { compared, interleave, type Line, repeat } from '../support/harness.ts';
import { load } from '../support/load.ts';
import { MANY, PAGE } from '../support/pages.ts';
import { serveProduct } from '../support/servers.ts';

const WARM_UP = 10;

interface Row {
  id: string;
  body: string;
  created: number;
  updated: number;
}

/** The text of the same answer by the bare query, with nothing around it. */
function bareList(file: string): () => string {
  const database = openSqlite(file, { readonly: true });
  const select = database.prepare<unknown[], Row>(
    `SELECT id, body, created, updated FROM enterprise_dids WHERE parent = ? ORDER BY created DESC, id DESC LIMIT ?`,
  );
  const show = ({ id, body, created, updated }: Row): object => ({
    ...(JSON.parse(body) as { content: object }).content,
    _id: `${DID_STORE}.${id}`,
    parent: DID_STORE,
    createdDateTime: new Date(created).toISOString(),
    updatedDateTime: new Date(updated).toISOString(),
  });
  return () => JSON.stringify(select.all(DID_STORE, PAGE).map(show));
}

/** The newest 100 of 10⁶ DIDs over HTTP, token checked, beside the query and its JSON in process. */
export async function listHttp(): Promise<Line[]> {
  const folder = await didStoreFolder({ count: MANY, workers: 1 });
  const server = await serveProduct({ folder });
  const request = await openDidStore(server.port);
  const { ours, bare } = await interleave(
    { ours: load(server, () => request), bare: repeat(bareList(join(folder, 'credenza.sqlite'))) },
    { warmUp: WARM_UP },
  );
  await server.close();
  const work = `${PAGE} of ${MANY.toLocaleString('en')}, HTTP, SQLite`;
  return [compared({ work, named: 'bare query and JSON in process', goal: { atLeast: 0.8 } }, ours, bare)];
}
