import type { SqliteDatabase } from './driver.ts';
import { makeTable, tableOf } from './tables.ts';

const COLLECTION = 'write-probe';
const TABLE = tableOf(COLLECTION);
/** The characters of a probe: it needs more room than most records with their indexes. */
const LENGTH = 16_384;
/** When another process deletes a probe whose own deletion failed, in milliseconds. */
const KEPT_MS = 60_000;

/** Writes a record as large as others and deletes it. @throws Error of the driver when there is no room */
export function writeProbe(database: SqliteDatabase, now: number): void {
  makeTable(database, COLLECTION, false);
  database
    .prepare(`INSERT OR REPLACE INTO ${TABLE} (parent, id, body, revision, created, updated, expires)
      VALUES ('', 'probe', @body, 1, @now, @now, @expires)`)
    .run({ body: ' '.repeat(LENGTH), now, expires: now + KEPT_MS });
  database.prepare(`DELETE FROM ${TABLE}`).run();
}
