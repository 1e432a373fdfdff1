import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiled } from './compiled.ts';
import { DIDS, type DidRow, fillSqlite } from './did-rows.ts';
import { interleave, type Line, repeat } from './harness.ts';
import { FEW, MANY, PAGE, PLACES, type Place, parentOf, queryFor, slower, titleOf } from './pages.ts';

const { Sqlite } = await compiled<typeof import('../adapters/sqlite/driver.ts')>('adapters/sqlite/driver');

const { SqliteStore } =
  await compiled<typeof import('../adapters/sqlite/sqlite-store.ts')>('adapters/sqlite/sqlite-store');

const SLICE_MS = 80;

/** A page as one writes it for SQLite by hand: its rows are looked up when an index has told which they are. */
function byHand(file: string): (place: Place) => unknown[] {
  const database = new Sqlite(file, { readonly: true });
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
  for (const place of PLACES) {
    const query = queryFor(place);
    const { ours, bare } = await interleave({
      ours: repeat(() => records.list(query), SLICE_MS),
      bare: repeat(() => hand(place), SLICE_MS),
    });
    const work = `${titleOf(place)}, SQLite, time`;
    lines.push(slower({ work, named: 'late row lookup by hand', place, atMost: 1.2 }, ours, bare));
  }
  await store.close();
  return lines;
}
