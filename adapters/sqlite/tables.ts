import type { SqliteDatabase } from './driver.ts';

const nameOf = (collection: string): string => collection.replaceAll('-', '_');

/** The quoted name of a collection's table. */
export const tableOf = (collection: string): string => `"${nameOf(collection)}"`;

/** The body of a row: of the two columns that have it, `body` is text and `sealed` bytes. */
export const BODY = 'coalesce(sealed, body)';
export const BODY_COLUMNS = 'body, sealed';
/** What the columns get of `@body`. */
export const BODY_VALUES = "iif(typeof(@body) = 'text', @body, ''), iif(typeof(@body) = 'blob', @body, NULL)";

/** Creates the table of a collection with its indexes unless it exists; one of a version before 0.10.0 lacks a column. */
export function makeTable(database: SqliteDatabase, collection: string, listed?: boolean): void {
  const table = tableOf(collection);
  database.exec(schema(table, listed));
  const column = database.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = 'sealed'");
  const complete = (): void => {
    if (!column.get(nameOf(collection))) database.exec(`ALTER TABLE ${table} ADD COLUMN sealed BLOB`);
  };
  // Looks twice: another process may be first.
  if (!column.get(nameOf(collection))) database.transaction(complete).immediate();
}

function schema(table: string, listed = false): string {
  const index = (suffix: string, rest: string): string =>
    `CREATE INDEX IF NOT EXISTS ${table.replace(/"$/, `_${suffix}"`)} ON ${table} ${rest};`;
  const lists = listed
    ? ['id', 'created', 'updated'].map((name) =>
        index(`by_${name}`, `(parent, ${name === 'id' ? 'id' : `${name}, id`}, expires)`),
      )
    : [];
  return `CREATE TABLE IF NOT EXISTS ${table} (rowid INTEGER PRIMARY KEY, parent TEXT NOT NULL, id TEXT NOT NULL,
      body TEXT NOT NULL, revision INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
      expires INTEGER, sealed BLOB, UNIQUE (parent, id)) STRICT;
    ${index('by_expires', '(expires) WHERE expires IS NOT NULL')} ${lists.join(' ')}`;
}
