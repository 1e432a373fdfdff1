import { LAST_WRITE_KEPT_MS, LAST_WRITES } from '../../domain/foundation/last-writes.ts';
import type { SqliteDatabase } from './driver.ts';
import { makeTable, tableOf } from './tables.ts';

const MARKS = tableOf(LAST_WRITES);

/** The time of a write of a listed collection as an SQL expression of `@now` and `@parent`: two index lookups. */
export const writeTime = (collection: string): string => `max(@now,
  coalesce((SELECT max(updated) FROM ${tableOf(collection)} WHERE parent = @parent) + 1, 0),
  coalesce((SELECT updated FROM ${MARKS} WHERE parent = '${collection}' AND id = @parent) + 1, 0))`;

/** Creates the trigger which keeps the time of a parent's last write when any process deletes its record. */
export function keepLastWrites(database: SqliteDatabase, collection: string): void {
  const table = tableOf(collection);
  makeTable(database, LAST_WRITES, false);
  database.exec(`CREATE TRIGGER IF NOT EXISTS ${table.replace(/"$/, '_last_write"')} AFTER DELETE ON ${table}
    WHEN OLD.updated > coalesce((SELECT max(updated) FROM ${table} WHERE parent = OLD.parent), -1)
    BEGIN
      INSERT INTO ${MARKS} (parent, id, revision, created, updated, expires, body)
      VALUES ('${collection}', OLD.parent, 1, OLD.updated, OLD.updated, OLD.updated + ${LAST_WRITE_KEPT_MS},
        CAST(OLD.updated AS TEXT))
      ON CONFLICT (parent, id) DO UPDATE SET created = excluded.created, updated = excluded.updated,
        expires = excluded.expires, body = excluded.body WHERE excluded.updated > updated;
    END;`);
}
