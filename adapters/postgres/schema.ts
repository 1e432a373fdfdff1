import { LAST_WRITE_KEPT_MS, LAST_WRITES } from '../../domain/foundation/last-writes.ts';

/** The setting of a connection that copies: what it deletes leaves no time of a last write behind. */
export const COPYING = 'credenza.copying';

/** Parents and ids are bytes (adapters/postgres/keys.ts); whole_… has one that is too long for an index. */
const COLUMNS = `
  collection text COLLATE "C" NOT NULL, parent bytea NOT NULL, id bytea NOT NULL, body bytea NOT NULL,
  revision integer NOT NULL, created bigint NOT NULL, updated bigint NOT NULL, expires bigint,
  whole_parent bytea, whole_id bytea`;

/**
 * The list that a record of a parent is in. The indexes of the lists begin with it, so that no plan looks for a single
 * record in them, as it might while the table has no statistics.
 */
export const listOf = (collection: string, parent: string): string =>
  `substr(sha256(decode(${collection}, 'escape') || '\\x00'::bytea || ${parent}), 1, 16)`;

/** The key and the indexes of the lists have the expiry, so that a page is found without reading its rows. */
const TABLES = `
CREATE TABLE records (${COLUMNS}, PRIMARY KEY (collection, parent, id));
CREATE INDEX records_by_expires ON records (expires) WHERE expires IS NOT NULL;
CREATE TABLE listed_records (${COLUMNS}, list bytea GENERATED ALWAYS AS (${listOf('collection', 'parent')}) STORED,
  PRIMARY KEY (collection, parent, id) INCLUDE (expires));
CREATE INDEX listed_records_by_created ON listed_records (list, created, id) INCLUDE (expires);
CREATE INDEX listed_records_by_updated ON listed_records (list, updated, id) INCLUDE (expires);
CREATE INDEX listed_records_by_expires ON listed_records (expires) WHERE expires IS NOT NULL;
CREATE TABLE write_probe (id integer PRIMARY KEY, body bytea NOT NULL);
ALTER TABLE write_probe ALTER body SET STORAGE EXTERNAL;
`;

/** The latest time of the records of a parent: an order, unlike `max`, leaves only the plan that reads one entry of an index. */
const latestOf = (list: string): string =>
  `(SELECT l.updated FROM listed_records l WHERE l.list = ${list} ORDER BY l.updated DESC LIMIT 1)`;

/** Keeps the time of a parent's last write when its record is deleted (domain/foundation/last-writes.ts). */
const KEEP_LAST_WRITE = `
CREATE FUNCTION keep_last_write() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF OLD.updated > coalesce(${latestOf('OLD.list')}, -1) THEN
    INSERT INTO records (collection, parent, id, body, revision, created, updated, expires, whole_id)
    VALUES ('${LAST_WRITES}', convert_to(OLD.collection, 'UTF8'), OLD.parent, convert_to(OLD.updated::text, 'UTF8'), 1,
      OLD.updated, OLD.updated, OLD.updated + ${LAST_WRITE_KEPT_MS}, OLD.whole_parent)
    ON CONFLICT (collection, parent, id) DO UPDATE SET body = EXCLUDED.body, created = EXCLUDED.created,
      updated = EXCLUDED.updated, expires = EXCLUDED.expires WHERE EXCLUDED.updated > records.updated;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_last_write AFTER DELETE ON listed_records FOR EACH ROW
  WHEN (current_setting('${COPYING}', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION keep_last_write();
`;

/** One writer at a time to a parent, until its commit: a later one sees its time. */
const LOCK =
  "PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || '/' || c || '/' || encode(p, 'hex'), 0));";

/** The time of a write, in one statement, so that a record and what is kept of a deleted one are seen at one moment. */
const WRITE_TIME = `greatest(at,
      ${latestOf(listOf('c', 'p'))} + 1,
      (SELECT w.updated + 1 FROM records w
        WHERE w.collection = '${LAST_WRITES}' AND w.parent = convert_to(c, 'UTF8') AND w.id = p))`;

const WRITES = `
CREATE FUNCTION insert_listed(c text, p bytea, i bytea, at bigint, b bytea, x bigint, wp bytea, wi bytea)
RETURNS SETOF bigint LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  ${LOCK}
  RETURN QUERY INSERT INTO listed_records AS r
      (collection, parent, id, body, revision, created, updated, expires, whole_parent, whole_id)
    SELECT c, p, i, b, 1, t.time, t.time, x, wp, wi FROM (SELECT ${WRITE_TIME} AS time) t
    ON CONFLICT (collection, parent, id) DO UPDATE SET body = EXCLUDED.body, revision = 1, created = EXCLUDED.created,
      updated = EXCLUDED.updated, expires = EXCLUDED.expires WHERE r.expires <= at
    RETURNING r.updated;
END $$;
CREATE FUNCTION replace_listed(c text, p bytea, i bytea, at bigint, b bytea, x bigint, known integer)
RETURNS TABLE (revision integer, created bigint, updated bigint, expires bigint) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
BEGIN
  ${LOCK}
  RETURN QUERY UPDATE listed_records r SET body = b, revision = r.revision + 1, updated = ${WRITE_TIME},
      expires = coalesce(x, r.expires)
    WHERE r.collection = c AND r.parent = p AND r.id = i AND r.revision = known
      AND (r.expires IS NULL OR r.expires > at)
    RETURNING r.revision, r.created, r.updated, r.expires;
END $$;
CREATE FUNCTION take_listed(c text, p bytea, i bytea, at bigint)
RETURNS TABLE (body bytea, revision integer, created bigint, updated bigint, expires bigint)
LANGUAGE sql SET search_path FROM CURRENT AS $$
  DELETE FROM listed_records r WHERE r.collection = c AND r.parent = p AND r.id = i AND (r.expires IS NULL OR r.expires > at)
  RETURNING r.body, r.revision, r.created, r.updated, r.expires
$$;
`;

/** What each version of the tables adds to the one before it. */
const STEPS: readonly string[] = [`${TABLES}${KEEP_LAST_WRITE}${WRITES}`];

/** A connection, as far as the tables are made on it. */
interface Session {
  query(text: string, values?: unknown[]): Promise<{ rows: { version: number }[] }>;
}

/** The tables are found or made by one process at a time. */
const LOCK_SCHEMA = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
const HAS_NO_SCHEMA = 'SELECT 1 AS version WHERE to_regnamespace($1) IS NULL';
/** A row where there is a table of versions. */
const HAS_VERSIONS = "SELECT 1 AS version WHERE to_regclass('schema_versions') IS NOT NULL";
const VERSION = 'SELECT coalesce(max(version), 0) AS version FROM schema_versions';

/** Whether there are tables; those of a newer version are some. @throws Error of PostgreSQL */
export async function hasTables(session: Session): Promise<boolean> {
  return (await session.query(HAS_VERSIONS)).rows.length > 0;
}

/**
 * Finds the tables or makes them; several processes may do so at once. A user who may not create is enough where they
 * exist. @throws Error of PostgreSQL, or one that says that they are of a newer version
 */
export async function makeSchema(session: Session, schema: string): Promise<void> {
  if ((await versionOf(session)) === STEPS.length) return;
  await session.query('BEGIN');
  try {
    await session.query(LOCK_SCHEMA, [`credenza/${schema}`]);
    if ((await session.query(HAS_NO_SCHEMA, [`"${schema}"`])).rows.length > 0)
      await session.query(`CREATE SCHEMA "${schema}"`);
    await session.query('CREATE TABLE IF NOT EXISTS schema_versions (version integer PRIMARY KEY)');
    const version = await versionOf(session);
    for (const [place, step] of STEPS.entries())
      if (place >= version) {
        await session.query(step);
        await session.query('INSERT INTO schema_versions (version) VALUES ($1)', [place + 1]);
      }
    await session.query('COMMIT');
  } catch (error) {
    await session.query('ROLLBACK');
    throw error;
  }
}

async function versionOf(session: Session): Promise<number> {
  if (!(await hasTables(session))) return 0;
  const version = (await session.query(VERSION)).rows[0]?.version ?? 0;
  if (version > STEPS.length)
    throw new Error(
      `Its tables are of version ${version}, which only a newer Credenza knows; this one knows ${STEPS.length}`,
    );
  return version;
}
