import type { SqliteDatabase } from './driver.ts';
import { schema, tableOf } from './tables.ts';

const TABLE = tableOf('write-probe');
/** The characters of a probe: it needs more room than most records with their indexes. */
const LENGTH = 16_384;
/** When another process deletes a probe whose own deletion failed, in milliseconds. */
const KEPT_MS = 60_000;

/** Writes a record as large as others and deletes it. @throws Error of the driver when there is no room */
export function writeProbe(database: SqliteDatabase, now: number): void {
  database.exec(schema(TABLE, false));
  database
    .prepare(`INSERT OR REPLACE INTO ${TABLE} (parent, id, body, revision, created, updated, expires)
      VALUES ('', 'probe', @body, 1, @now, @now, @expires)`)
    .run({ body: ' '.repeat(LENGTH), now, expires: now + KEPT_MS });
  database.prepare(`DELETE FROM ${TABLE}`).run();
}
