import type pg from 'pg';
import { DomainError } from '../../domain/foundation/errors.ts';
import type { RawRecord } from '../../ports/store-copy.ts';
import { inTime } from '../system/deadline.ts';
import { describePostgres, type PostgresStoreSettings } from './address.ts';
import { explain, withoutValues } from './faults.ts';
import { openPool } from './nodes.ts';
import { allRecords } from './postgres-copy.ts';

/** The time limit of a page, in milliseconds. */
const PAGE_MS = 10_000;
const CLOSE_MS = 1000;

const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/**
 * The records of a PostgreSQL as they are at one moment, in pages of about `size`, while servers use it: all are read in
 * one transaction. @throws DomainError `StoreUnavailable`
 */
export async function* momentOf(settings: PostgresStoreSettings, size: number): AsyncGenerator<RawRecord[]> {
  const limits = { statementMs: PAGE_MS, lockMs: PAGE_MS, isCopying: true };
  const pool = openPool({ ...settings, connections: 1 }, limits);
  pool.on('error', () => undefined);
  let client: pg.PoolClient | undefined;
  try {
    const own = await pool.connect();
    client = own;
    await own.query(BEGIN);
    yield* allRecords(async ({ name, text }, values) => {
      const { rows } = await inTime(own.query({ name, text, values }), PAGE_MS);
      return rows;
    }, size);
  } catch (error) {
    const cause = withoutValues(error);
    const detail = `${describePostgres(settings)}: ${explain(cause)}`;
    throw new DomainError('StoreUnavailable', 'The store cannot be reached', { cause, detail });
  } finally {
    client?.release(true);
    await inTime(pool.end(), CLOSE_MS).catch(() => undefined);
  }
}
