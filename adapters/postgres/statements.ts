import type { CollectionSpec, Order } from '../../ports/store.ts';
import { listOf } from './schema.ts';

/** A statement that each connection prepares once. Its values are never part of its text. */
export interface Statement {
  name: string;
  text: string;
}

/** The table of a collection. */
export type Table = 'records' | 'listed_records';

export const tableOf = ({ listed }: Pick<CollectionSpec<unknown>, 'listed'>): Table =>
  listed ? 'listed_records' : 'records';

/** What is read of a record whose key is known. */
const FACTS = 'revision, created, updated, expires';
const HERE = 'collection = $1 AND parent = $2 AND id = $3 AND (expires IS NULL OR expires > $4)';

/** The statements of a collection. */
type Texts = Record<'insert' | 'get' | 'replace' | 'take', Statement>;

/** The values of many writes, each with its place from 1, after three values that they share. */
function eachOf(...types: string[]): string {
  return `unnest(${types.map((type, place) => `$${place + 4}::${type}[]`).join(', ')}) WITH ORDINALITY`;
}

/**
 * Values: the key, the time, then what the statement writes; of the writes of a listed collection the parent and the time,
 * then lists of the rest. Expired records are invisible, so an insert replaces them.
 */
export const RECORD_STATEMENTS: Record<Table, Texts> = {
  records: {
    get: getOf('records'),
    take: { name: 'take_record', text: `DELETE FROM records WHERE ${HERE} RETURNING body, ${FACTS}` },
    insert: {
      name: 'insert_record',
      text: `INSERT INTO records (collection, parent, id, created, updated, body, expires, whole_parent, whole_id, revision)
        VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8, 1)
        ON CONFLICT (collection, parent, id) DO UPDATE SET body = EXCLUDED.body, revision = 1, created = EXCLUDED.created,
          updated = EXCLUDED.updated, expires = EXCLUDED.expires WHERE records.expires <= EXCLUDED.created
        RETURNING updated AS time`,
    },
    replace: {
      name: 'replace_record',
      text: `UPDATE records SET body = $5, revision = revision + 1, updated = greatest(updated, $4),
        expires = coalesce($6, expires) WHERE ${HERE} AND revision = $7 RETURNING ${FACTS}`,
    },
  },
  listed_records: {
    get: getOf('listed_records'),
    take: {
      name: 'take_listed',
      text: `SELECT g.n, t.* FROM ${eachOf('bytea')} AS g (id, n), take_listed($1, $2, g.id, $3) AS t`,
    },
    insert: {
      name: 'insert_listed',
      text: `SELECT g.n, t.time FROM ${eachOf('bytea', 'bytea', 'bigint', 'bytea', 'bytea')} AS g (id, body, expires, whole_parent, whole_id, n),
        insert_listed($1, $2, g.id, $3, g.body, g.expires, g.whole_parent, g.whole_id) AS t (time)`,
    },
    replace: {
      name: 'replace_listed',
      text: `SELECT g.n, t.* FROM ${eachOf('bytea', 'bytea', 'bigint', 'int')} AS g (id, body, expires, known, n),
        replace_listed($1, $2, g.id, $3, g.body, g.expires, g.known) AS t`,
    },
  },
};

function getOf(table: Table): Statement {
  return { name: `get_${table}`, text: `SELECT body, ${FACTS} FROM ${table} WHERE ${HERE}` };
}

/** The columns and the direction of an order, and what a page after an id or a time compares. */
const ORDERS: Record<Order, { columns: string[]; direction: 'ASC' | 'DESC'; after?: string }> = {
  id: { columns: ['id'], direction: 'ASC', after: 'id > $6' },
  'id-': { columns: ['id'], direction: 'DESC', after: 'id < $6' },
  'created+': { columns: ['created', 'id'], direction: 'ASC', after: 'created > $6' },
  'created-': { columns: ['created', 'id'], direction: 'DESC', after: 'created < $6' },
  'updated+': { columns: ['updated', 'id'], direction: 'ASC' },
  'updated-': { columns: ['updated', 'id'], direction: 'DESC' },
};

/** A page. Values: collection, parent, time, limit, offset and, where the order can begin after something, that. */
export interface PageStatements {
  /** The ids alone. */
  ids: Statement;
  list: Statement;
}

/** An index selects the page; only then are its rows read, one after the other. */
function pageOf(order: Order, isAfter: boolean): PageStatements {
  const { columns, direction, after } = ORDERS[order];
  const name = `${order}${isAfter ? '_after' : ''}`;
  const sorted = (of: string): string => columns.map((column) => `${of}${column} ${direction}`).join(', ');
  const list = columns.length > 1 ? `list = ${listOf('$1', '$2')}` : 'collection = $1 AND parent = $2';
  const read = (selected: string): string => `SELECT r.* FROM (SELECT ${columns.join(', ')} FROM listed_records
      WHERE ${list} AND (expires IS NULL OR expires > $3) ${isAfter ? `AND ${after}` : ''}
      ORDER BY ${sorted('')} LIMIT $4 OFFSET $5) p
    CROSS JOIN LATERAL (SELECT ${selected} FROM listed_records
      WHERE collection = $1 AND parent = $2 AND id = p.id LIMIT 1) r ORDER BY ${sorted('p.')}`;
  return {
    ids: { name: `ids_${name}`, text: read('id, whole_id') },
    list: { name: `list_${name}`, text: read(`id, whole_id, body, ${FACTS}`) },
  };
}

/** The pages of an order; those after an id or a time where it can begin so. */
export const pagesOf = (isAfter: boolean): Record<Order, PageStatements> => {
  const orders = Object.entries(ORDERS) as [Order, (typeof ORDERS)[Order]][];
  const pages = orders.map(([order, { after }]) => [order, pageOf(order, isAfter && after !== undefined)]);
  return Object.fromEntries(pages) as Record<Order, PageStatements>;
};

/** Deletes expired records. Values: the time, the most records. Only one process at a time does it; no row is waited for. */
export const deleteExpired = (table: Table): Statement => ({
  name: `expire_${table}`,
  text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE expires <= $1
    AND (SELECT pg_try_advisory_xact_lock(hashtextextended(current_schema() || '/expired', 0)))
    LIMIT $2 FOR UPDATE SKIP LOCKED)) AND expires <= $1`,
});
