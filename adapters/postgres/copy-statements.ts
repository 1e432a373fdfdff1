import type { Statement, Table } from './statements.ts';

const KEY = 'collection, parent, id';
const STATE = 'body, revision, created, updated, expires';
const ALL = `${KEY}, ${STATE}, whole_parent, whole_id`;

const of = (table: string, columns: string): string => columns.replace(/(\w+)/g, `${table}.$1`);

/** The keys of many records as three lists, and further lists. */
const given = (columns: string, ...types: string[]): string => {
  const lists = ['text', 'bytea', 'bytea', ...types].map((type, place) => `$${place + 1}::${type}[]`);
  return `unnest(${lists.join(', ')}) AS g (${KEY}${columns})`;
};

const SAME_KEY = 't.collection = g.collection AND t.parent = g.parent AND t.id = g.id';

/** The statements of a copy, each for many records at once; their values are lists, but for those of a page. */
export function copyStatements(table: Table): Record<'page' | 'get' | 'put' | 'delete' | 'swap', Statement> {
  const named = (name: string, text: string): Statement => ({ name: `copy_${name}_${table}`, text });
  return {
    /** Values: the last key of the page before, the size. */
    page: named('page', `SELECT ${ALL} FROM ${table} WHERE (${KEY}) > ($1, $2, $3) ORDER BY ${KEY} LIMIT $4`),
    get: named('get', `SELECT ${of('t', ALL)} FROM ${given('')} JOIN ${table} t ON ${SAME_KEY}`),
    put: named(
      'put',
      `INSERT INTO ${table} AS t (${ALL})
        SELECT ${ALL} FROM ${given(`, ${STATE}, whole_parent, whole_id`, 'bytea', 'int', 'bigint', 'bigint', 'bigint', 'bytea', 'bytea')}
        ON CONFLICT (${KEY}) DO UPDATE SET (${STATE}) = (${of('EXCLUDED', STATE)})
        WHERE (${of('t', STATE)}) IS DISTINCT FROM (${of('EXCLUDED', STATE)})`,
    ),
    delete: named('delete', `DELETE FROM ${table} t USING ${given('')} WHERE ${SAME_KEY}`),
    swap: named(
      'swap',
      `UPDATE ${table} t SET body = g.new FROM ${given(', revision, old, new', 'int', 'bytea', 'bytea')}
        WHERE ${SAME_KEY} AND t.revision = g.revision AND t.body = g.old`,
    ),
  };
}
