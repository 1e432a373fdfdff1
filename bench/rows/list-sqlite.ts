import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../adapters/sqlite/driver.ts';
import { SqliteStore } from '../../adapters/sqlite/sqlite-store.ts';
import { DIDS, type DidRow, fillSqlite } from '../support/did-rows.ts';
import { interleave, type Line, repeat } from '../support/harness.ts';
import { FEW, MANY, PAGE, PAGES, type PageOf, parentOf, queryFor, timeRatio, titleOf } from '../support/pages.ts';

const SLICE_MS = 80;

/** A page with SQL by hand: the index returns row ids, then the rows are looked up. */
function byHand(file: string): (page: PageOf) => unknown[] {
  const database = openSqlite(file, { readonly: true });
  const select = database.prepare<unknown[], DidRow>(
    `SELECT parent, id, body, revision, created, updated FROM enterprise_dids AS record JOIN
     (SELECT rowid AS found FROM enterprise_dids WHERE parent = ? ORDER BY created DESC, id DESC LIMIT ? OFFSET ?)
     ON record.rowid = found ORDER BY created DESC, id DESC`,
  );
  return ({ count, offset }) =>
    select.all(parentOf(count), PAGE, offset).map(({ body, ...row }) => ({ ...row, value: JSON.parse(body) }));
}

/** Pages through the port, newest first, beside late row lookup by hand in the same file. */
export async function listSqlite(): Promise<Line[]> {
  const file = join(mkdtempSync(join(tmpdir(), 'bench-')), 'list.sqlite');
  await fillSqlite(file, { [parentOf(FEW)]: FEW, [parentOf(MANY)]: MANY });
  const store = new SqliteStore(file, { now: () => Date.now() });
  const records = store.collection(DIDS);
  const hand = byHand(file);
  const lines: Line[] = [];
  for (const page of PAGES) {
    const query = queryFor(page);
    const { ours, bare } = await interleave({
      ours: repeat(() => records.list(query), SLICE_MS),
      bare: repeat(() => hand(page), SLICE_MS),
    });
    const work = `${titleOf(page)}, SQLite, time`;
    lines.push(timeRatio({ work, named: 'late row lookup by hand', page, atMost: 1.2 }, ours, bare));
  }
  await store.close();
  return lines;
}
