/** The quoted name of a collection's table. */
export const tableOf = (collection: string): string => `"${collection.replaceAll('-', '_')}"`;

/** The statements that create a table with its indexes unless it exists. */
export function schema(table: string, listed: boolean): string {
  const index = (suffix: string, rest: string): string =>
    `CREATE INDEX IF NOT EXISTS ${table.replace(/"$/, `_${suffix}"`)} ON ${table} ${rest};`;
  const lists = listed
    ? ['id', 'created', 'updated'].map((name) =>
        index(`by_${name}`, `(parent, ${name === 'id' ? 'id' : `${name}, id`}, expires)`),
      )
    : [];
  return `CREATE TABLE IF NOT EXISTS ${table} (rowid INTEGER PRIMARY KEY, parent TEXT NOT NULL, id TEXT NOT NULL,
      body TEXT NOT NULL, revision INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
      expires INTEGER, UNIQUE (parent, id)) STRICT;
    ${index('by_expires', '(expires) WHERE expires IS NOT NULL')} ${lists.join(' ')}`;
}
